// Makes a checkout ready to run: npm packages, the server, the dashboard. Runs before any package is installed, so it imports only Node's own
// modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard, isDashboardBuilt } from './dashboard.mjs'

const self = fileURLToPath(import.meta.url)

/** `pages`: with the dashboard. Returns whether it succeeded; errors were printed. */
export function prepare(root, { pages }) {
  if (hasPackages(root) && isServerBuilt(root) && (!pages || isDashboardBuilt(root))) return true
  // Serialized, because concurrent starts would write the same files. flock(1) is part of util-linux, an essential package.
  const args = [root, process.execPath, self, root, ...(pages ? ['--pages'] : [])]
  const { status, error } = spawnSync('flock', args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) console.error(`panel: flock could not be started: ${error.message}`)
  return status === 0
}

/** Checks again, because another process may have prepared it while this one waited for the lock. */
function prepareAlone(root, pages) {
  if (!hasPackages(root)) installPackages(root)
  if (!isServerBuilt(root)) buildServer(root)
  if (pages) buildDashboard(root, () => step('Building the dashboard'))
}

const packagesMarker = (root) => join(root, 'node_modules/.panel-lock')

/** Does not depend on the Node.js version: no package does. */
const wantedPackages = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')

function hasPackages(root) {
  const marker = packagesMarker(root)
  return existsSync(marker) && readFileSync(marker, 'utf8') === wantedPackages(root)
}

/** The marker is written last, so an interrupted install is repeated. Install scripts are disabled in .npmrc. */
function installPackages(root) {
  step('Installing npm packages (about half a minute)')
  run(root, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(packagesMarker(root), wantedPackages(root))
}

const serverMarker = (root) => join(root, 'packages/server/dist/.built')

function isServerBuilt(root) {
  const marker = serverMarker(root)
  if (!existsSync(marker)) return false
  const packages = ['contract', 'server', 'client', 'cli'].map((name) => join(root, 'packages', name))
  const newest = Math.max(
    ...packages.flatMap((path) => [...mtimes(join(path, 'src')), statSync(join(path, 'package.json')).mtimeMs]),
    ...['scripts/bundle.mjs', 'package-lock.json'].map((path) => statSync(join(root, path)).mtimeMs)
  )
  return statSync(marker).mtimeMs >= newest
}

function buildServer(root) {
  step('Building')
  const tsc = join(root, 'node_modules/typescript7/bin/tsc')
  run(root, process.execPath, [tsc, '-b', 'packages/contract', 'packages/server', 'packages/cli'])
  run(root, process.execPath, [join(root, 'scripts/bundle.mjs'), root])
  writeFileSync(serverMarker(root), '')
}

function* mtimes(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    // The mtime of a directory changes when files are deleted.
    yield statSync(path).mtimeMs
    if (entry.isDirectory()) yield* mtimes(path)
  }
}

function run(root, program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw new Error(`${program} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} failed.`)
}

function step(text) {
  console.error(`· ${text}`)
}

if (process.argv[1] === self) {
  const [root, ...options] = process.argv.slice(2)
  try {
    prepareAlone(root, options.includes('--pages'))
  } catch (error) {
    console.error(`panel: ${error.message}`)
    process.exit(1)
  }
}
