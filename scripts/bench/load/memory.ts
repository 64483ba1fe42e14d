import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that live objects of this process take, after collecting what is dead. */
export async function liveBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    // what was waiting to be finalised goes with the next round
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
