import { isIP, type LookupFunction } from 'node:net';

type Pinned = { readonly host: string; readonly lookup: LookupFunction; readonly autoSelectFamily: true };

/**
 * Options of `net.connect` and `http.request` that reach exactly the judged addresses, one after the other. The name they carry
 * exists nowhere: if it were ever resolved, the connection would fail instead of going astray.
 */
export function pinnedDial(addresses: readonly [string, ...string[]]): Pinned {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, options, callback) => {
    if (options.all === true) callback(null, answers);
    else callback(null, addresses[0], isIP(addresses[0]));
  };
  return { host: 'judged.invalid', lookup, autoSelectFamily: true };
}
