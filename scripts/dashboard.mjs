// Builds the dashboard (packages/dashboard) if its sources have changed. Runs before the panel starts, so it imports only Vite and Node's own modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { putBack, putInPlace } from './put-in-place.mjs'

/** Sources of a build. */
const sources = [
  'package-lock.json',
  'packages/contract/src',
  'packages/client/src',
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/dashboard/first-requests.plugin.ts'
]

const place = (root) => join(root, 'packages/dashboard/dist')

const marker = (root) => join(place(root), '.built')

/** Whether the build is up to date. */
export function isDashboardBuilt(root, wanted = hashOf(root)) {
  return existsSync(marker(root)) && readFileSync(marker(root), 'utf8') === wanted
}

/** Throws if Vite fails. `onBuild` is called before the build. Assets of the previous build are kept for open tabs. */
export function buildDashboard(root, onBuild = () => {}) {
  const dist = place(root)
  putBack(dist)
  const wanted = hashOf(root)
  if (isDashboardBuilt(root, wanted)) return
  onBuild()
  const next = `${dist}.new`
  runVite(root, next)
  writeFileSync(join(next, '.built'), wanted)
  putInPlace(next, dist, 'assets')
}

/** Builds into a directory and replaces its contents. */
export function runVite(root, directory) {
  // Its own configuration, not that of the tests.
  const { resolve } = createRequire(join(root, 'packages/dashboard/package.json'))
  const vite = join(dirname(resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', '--outDir', directory, '--emptyOutDir', '--logLevel', 'warn']
  const cwd = join(root, 'packages/dashboard')
  // Regardless of the environment: a development build of React would be twice the size.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, error } = spawnSync(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) throw new Error(`The dashboard could not be built${error ? `: ${error.message}` : ''}`)
}

function hashOf(root) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesOf(root, source)))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/** The file itself, or all files below the folder, sorted. */
function filesOf(root, source) {
  if (!statSync(join(root, source)).isDirectory()) return [source]
  const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}
