import { join } from 'node:path'
import { defineConfig } from 'vite'

// The browser's part of Clew. One page, everything beside it, nothing from elsewhere.
export default defineConfig({
  root: join(import.meta.dirname, 'src', 'web'),
  base: '/',
  build: {
    outDir: process.env['CLEW_WEB_OUT'] ?? join(import.meta.dirname, 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // "use client" at the top of a module means nothing here.
    rolldownOptions: {
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
})
