import type { Browser } from 'playwright';
import type { ChromiumBinary } from './chromium-binary.ts';

/** Playwright adds its own `--disable-features`; the last such switch would win, so features go by other switches. */
const SWITCHES = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--no-pings',
  '--disable-speech-api',
  '--dns-prefetch-disable',
  // Full Chromium reads the first, the headless shell the second: no UDP beside the proxy.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // No name is resolved in the browser; the proxy does it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--js-flags=--max-old-space-size=512',
];

export type LaunchOptions = {
  readonly binary: ChromiumBinary;
  readonly proxy: string;
  readonly fontConfiguration: string;
  readonly timeoutMs: number;
};

async function launch(
  { binary, proxy, fontConfiguration, timeoutMs }: LaunchOptions,
  isSandboxed: boolean,
): Promise<Browser> {
  const { chromium } = await import('playwright');
  const { PATH = '', HOME = '/', TMPDIR } = process.env;
  return chromium.launch({
    executablePath: binary.executable,
    chromiumSandbox: isSandboxed,
    // A page must not find secrets of this process in the environment of its own.
    env: {
      PATH,
      HOME,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      LANG: 'C.UTF-8',
      FONTCONFIG_FILE: fontConfiguration,
      ...binary.environment,
    },
    args: SWITCHES,
    proxy: { server: proxy },
    timeout: timeoutMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Starts Chromium, in its sandbox where the user and the kernel allow it. */
export async function launchChromium(options: LaunchOptions): Promise<{ browser: Browser; isSandboxed: boolean }> {
  // Chromium refuses its sandbox to root.
  if (process.getuid?.() !== 0) {
    try {
      return { browser: await launch(options, true), isSandboxed: true };
    } catch (error) {
      if (!/sandbox|namespace|zygote/iu.test(error instanceof Error ? error.message : '')) throw error;
    }
  }
  return { browser: await launch(options, false), isSandboxed: false };
}
