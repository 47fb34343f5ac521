import { join } from 'node:path'
import { defineConfig } from 'vite'

// The browser's part of Clew. One page, everything beside it, nothing from elsewhere.
export default defineConfig({
  root: join(import.meta.dirname, 'src', 'web'),
  base: '/',
  resolve: {
    alias: {
      // What the Markdown parser asks for the characters behind &lt; and the like would write markup in a browser, which
      // our policy forbids. With the same table as elsewhere it need not; 10 kB more.
      'decode-named-character-reference': join(
        import.meta.dirname,
        'node_modules/decode-named-character-reference/index.js',
      ),
    },
  },
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
