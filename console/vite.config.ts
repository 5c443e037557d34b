import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { appIcons } from './app-icons.ts'

export default defineConfig({
  plugins: [react(), appIcons()],
  // Relative URLs, so that the service can be below a path prefix.
  base: './',
  // The SDK is bundled from its sources; it has no build in the repository.
  resolve: { conditions: ['@whence/source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    // The content security policy allows no inline resources, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // One file per set of pages that share code would mean forty requests before the first paint.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'pages', minShareCount: 3 },
            // Code shared by only two pages is small, and one request is cheaper than a dozen.
            { name: 'pairs', minShareCount: 2, maxModuleSize: 8000 },
          ],
        },
      },
    },
  },
})
