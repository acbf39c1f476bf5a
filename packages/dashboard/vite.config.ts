import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import presetMantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'
import { firstRequests } from './first-requests.plugin.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes compressed variants of each file, so that the panel does not compress on request. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    const files = (await readdir(dir, { recursive: true })).filter((file) => /\.(js|css|svg|json)$/.test(file))
    for (const path of files.map((file) => join(dir, file))) {
      const content = await readFile(path)
      await writeFile(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      await writeFile(`${path}.gz`, await zip(content, { level: 9 }))
    }
  }
})

/** Imports each icon from its own file: the index of 6,000 icons is slow to parse and prevents splitting by page. */
const directIcons = (): Plugin => ({
  name: 'direct-icons',
  enforce: 'pre',
  transform: {
    filter: { id: /\/dashboard\/src\/.*\.tsx?$/, code: '@tabler/icons-react' },
    handler: (code) =>
      code.replaceAll(/import \{([^}]*)\} from '@tabler\/icons-react'/g, (_all, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs'`)
          .join(';')
      )
  }
})

const anyOf = (...paths: string[]) => new RegExp(paths.join('|'))
const packagesOf = (...names: string[]) => new RegExp(`node_modules/(${names.join('|')})/`)

export default defineConfig({
  plugins: [directIcons(), react(), firstRequests(), precompress()],
  css: { postcss: { plugins: [presetMantine()] }, modules: { localsConvention: 'camelCaseOnly' } },
  // Use the sources of workspace packages, never a stale build.
  resolve: {
    conditions: ['source', 'module', 'browser', 'development|production'],
    dedupe: ['zod', 'react', 'react-dom']
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // For the editor, which loads when the first file is opened.
    chunkSizeWarningLimit: 360,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Chunks of dependencies keep their names, and stay in browser caches, across our releases.
            {
              name: 'react',
              priority: 2,
              test: packagesOf('react', 'react-dom', 'scheduler', 'use-sync-external-store')
            },
            {
              name: 'tanstack',
              priority: 2,
              test: packagesOf(
                '@tanstack/(react-router|router-core|history|react-query|query-core|store|react-store)',
                'openapi-fetch'
              )
            },
            // Modules that the first page shares with others, without their dependencies.
            { name: 'first', priority: 1, tags: ['$initial'], minShareCount: 2, includeDependenciesRecursively: false },
            // Small modules that several pages share: one file instead of twenty, because each file costs a request.
            {
              name: 'shared',
              test: anyOf(
                // Without what is used in dialogs, forms, long lists or the audit log only.
                'src/ui/(?!audit-action|chart|log-viewer|form/|confirm-name|toast-stack|use-rows-in-sight)',
                // Shared parts of the shell.
                'src/(live/(?!follow-again)|shell/(shell\\.|nav-items))',
                // Smaller than the headers of a request.
                'contract/src/sentences',
                'src/features/projects/container-acts',
                'node_modules/@mantine/.*/(Group|VisuallyHidden)/',
                'node_modules/@mantine/.*/(notifications\\.store|store|noop|use-merged-ref|use(-mantine)?-color-scheme)\\.mjs',
                'node_modules/@tabler/'
              ),
              minShareCount: 2,
              maxModuleSize: 8_000,
              includeDependenciesRecursively: false
            }
          ]
        }
      }
    }
  },
  server: {
    proxy: {
      '/api': { target: 'http://localhost:3000', ws: true },
      '/socket.io': { target: 'http://localhost:3000', ws: true }
    }
  }
})
