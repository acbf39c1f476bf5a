import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { baseImagesOf } from '../wiring/base-images.ts'
import { parseConfig } from '../config.ts'
import { buildProxyArguments } from '../config/builds.ts'
import { prepareBaseImages } from '../infra/base-images/base-images.ts'
import { prepareCompilers } from '../infra/base-images/compilers.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { messageOf } from '../text/message-of.ts'
import { containerEngine } from '../programs/container-engine.ts'
import { programs } from '../programs/list.ts'
import { createManager } from '../programs/manager.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, toolPackages } from './debian-packages.ts'
import { endToEndOn, installOtherNode, unitAndApiOn } from './other-node.ts'
import { changedPaths, endToEndFilesFor } from './test-changes.ts'
import { summaryOf, type TestResults } from './test-report.ts'
import { runPart, type TestPart } from './test-run.ts'

/** Beyond what a server needs: the other ends that the tests talk to. */
const testPackages = [
  'sudo',
  // Kernels with quotas, for tests where this one has none.
  'user-mode-linux',
  'kmod',
  'xfsprogs',
  'python3',
  'procps',
  'redis-server',
  // promtool; its server is not started.
  'prometheus',
  'busybox-static',
  'curl',
  'pebble',
  'knot-dnsutils',
  'bind9-utils',
  'bind9-dnsutils',
  'ldnsutils',
  'unbound',
  'chromium',
  // The same without windows: a page takes a fifth of the processor's time to open.
  'chromium-headless-shell',
  'swaks',
  // By which it speaks TLS and logs in.
  'libnet-ssleay-perl',
  'libauthen-sasl-perl'
]

const unitAndApi: TestPart = { name: 'unit, api', args: ['--project', 'unit', '--project', 'api'], isLowPriority: true }

/** Only what is about the store and who shares it: the rest would ask the same again. Vitest takes those whose path has one of these in it. */
const storeFiles = ['test/store', 'test/job-', 'test/two-', 'test/quotas', 'crashes', 'test/deployments', 'test/dns-']
const onDebian: TestPart = {
  name: 'api, Debian',
  args: ['--project', 'api', ...storeFiles],
  env: { TEST_STORE: 'debian', TEST_PROCESSES: '2' },
  isLowPriority: true
}

const endToEnd: TestPart = { name: 'e2e', args: ['e2e', 'e2e-alone', 'pages'].flatMap((name) => ['--project', name]) }

/** The image of Node.js by a name that no panel makes anew: where images are made here, another Node.js would be another image. */
const otherNodeImage = 'panel-tests-node:latest'

/**
 * `./panel test`: every test, on the real programs. With arguments, vitest gets those instead; `--changed [commit]` runs what the changes since it can touch. The API tests about the store run twice: on
 * the embedded one, and against two processes on Debian's PostgreSQL and a Redis. A part runs again on another version of Node.js.
 */
export async function test(context: CommandContext): Promise<void> {
  await ensureDebianPackages(run, [...toolPackages, ...programs.flatMap(({ packages }) => packages), ...testPackages])
  const directory = await mkdtemp(join(tmpdir(), 'panel-tests-'))
  try {
    await report(context, await runTests(context, directory))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function runTests(context: CommandContext, directory: string): Promise<TestResults[]> {
  const [option, commit = 'HEAD'] = context.args
  const runAll = (...parts: TestPart[]) => runParts(context, directory, parts)
  const onEngine = (...parts: TestPart[]) => withEngine(context, directory, () => runAll(...parts))
  if (option === '--changed') {
    const small = await runAll({ ...unitAndApi, args: [...unitAndApi.args, '--changed', commit, '--passWithNoTests'] })
    const files = await changedEndToEndFiles(context, commit)
    return files.length === 0
      ? small
      : [...small, ...(await onEngine({ ...endToEnd, args: [...endToEnd.args, ...files] }))]
  }
  if (option !== undefined) return onEngine({ name: 'tests', args: context.args })
  // Unit and API tests need no engine, and have ended long before those that run alone.
  const other = await installOtherNode(context.root, run)
  return together(
    runAll(unitAndApi, onDebian, unitAndApiOn(other)),
    // The one site on the other Node.js has ended long before those that run alone, too.
    withEngine(context, directory, () => together(runAll(endToEnd), runAll(endToEndOn(other, otherNodeImage))))
  )
}

/** Both to their ends, whatever comes of one: the other has programs that it stops. */
async function together(...lanes: readonly Promise<TestResults[]>[]): Promise<TestResults[]> {
  const ended = await Promise.allSettled(lanes)
  return ended.flatMap((lane) => {
    if (lane.status === 'rejected') throw lane.reason
    return lane.value
  })
}

/** Those that import what has changed, as vitest finds them, and those that drive it. */
async function changedEndToEndFiles({ root }: CommandContext, commit: string): Promise<string[]> {
  const list = async (...args: string[]) => {
    const argv = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json', ...endToEnd.args, ...args] as const // prettier-ignore
    const { stdout } = await run(argv, { cwd: root, timeoutMs: 300_000, maxOutputBytes: 16 * 1024 * 1024 })
    return (JSON.parse(stdout.slice(stdout.indexOf('['))) as { file: string }[]).map(({ file }) => relative(root, file))
  }
  const [importing, all, changed] = [
    await list('--changed', commit),
    await list(),
    await changedPaths(run, root, commit)
  ]
  return [...new Set([...importing, ...endToEndFilesFor(changed, all)])]
}

/** One after the other. */
async function runParts(
  context: CommandContext,
  directory: string,
  parts: readonly TestPart[]
): Promise<TestResults[]> {
  const results: TestResults[] = []
  for (const part of parts) results.push(await runPart(context, directory, part))
  return results
}

/** With the container engine, and the images that sites are built on. */
async function withEngine<T>({ env }: CommandContext, directory: string, work: () => Promise<T>): Promise<T> {
  const config = parseConfig({ SESSION_SECRET: 'only starts the engine for the test run', DATA_DIR: directory })
  const engine = createDockerEngine({
    socketPath: config.DOCKER_SOCKET,
    buildArguments: buildProxyArguments(config)
  })
  const { signal } = new AbortController()
  const manager = createManager({ logger: createLogger(config.LOG_LEVEL), step, signal })
  try {
    await manager.start([containerEngine], { config, env, run, engine, step })
    const images = baseImagesOf(config)
    await prepareBaseImages({ engine, images, kinds: ['node', 'static', 'python', 'php'], log: step, run })
    await prepareCompilers({ engine, log: step, run }, images).catch((error: unknown) => step(messageOf(error)))
    const tag = ['docker', '--host', `unix://${config.DOCKER_SOCKET}`, 'tag', images.node, otherNodeImage] as const
    await run(tag, { timeoutMs: 30_000 })
    return await work()
  } finally {
    await manager.stop()
  }
}

/** `scripts/test-table.mjs` makes the table of docs/testing.md of the file. */
async function report({ root }: CommandContext, results: readonly TestResults[]): Promise<void> {
  const files = results.flatMap((result) => result.files)
  const broken = results.reduce((sum, result) => sum + result.broken, 0)
  await writeFile(join(root, 'node_modules/.test-results.json'), JSON.stringify({ files }))
  process.stdout.write(`\n${summaryOf({ files, broken }).join('\n')}\n`)
  process.exitCode = broken > 0 || files.some(({ failed }) => failed > 0) ? 1 : 0
}
