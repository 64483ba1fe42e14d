import { defineConfig } from 'vite';

/** Static files only: no inline scripts, no data URLs, no module-preload shim, so that the strict policy of the gateway holds. */
export default defineConfig({
  root: 'client',
  base: '/',
  publicDir: 'public',
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
