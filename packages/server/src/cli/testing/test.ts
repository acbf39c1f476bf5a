import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../config.ts'
import { buildProxyArguments } from '../../config/builds.ts'
import { baseImageSteps } from '../base-images.ts'
import { createDockerEngine } from '../../infra/container-engine/docker.ts'
import { run } from '../../infra/process/run.ts'
import { createLogger } from '../../process/logger.ts'
import { messageOf } from '../../text/message-of.ts'
import { containerEngine } from '../../programs/container-engine.ts'
import { programs } from '../../programs/list.ts'
import { createManager } from '../../programs/manager.ts'
import { type CommandContext, step } from '../command.ts'
import { ensureDebianPackages, ensureDockerCommand, ensureOptional, toolPackages } from '../debian-packages.ts'
import { onDebian13 } from './debian-13.ts'
import { endToEndOn, installOtherNode, unitAndApiOn } from './other-node.ts'
import { areasOfChange, readAreas } from './areas.ts'
import { changedPaths, commitOf, isDirty } from './checkout.ts'
import { fullRunOf, planAreas, readFullRun, writeFullRun } from './full-run.ts'
import { runPart, type TestPart, type VitestPart } from './part.ts'
import { countsOf, summaryOf, type TestResults } from './report.ts'

/** What tests need beyond what a server needs: clients, authorities and other peers. */
const testPackages = [
  'sudo',
  // A kernel with disk quotas, where the machine's own has none.
  'user-mode-linux',
  'kmod',
  'xfsprogs',
  'python3',
  'procps',
  'redis-server',
  // Two PostgreSQL servers of which one may fail.
  'patroni',
  'etcd-server',
  // A floating address.
  'keepalived',
  // Another Debian beside this one.
  'slirp4netns',
  // WireGuard without the kernel's module.
  'wireguard-go',
  // Reads what passes between machines.
  'tcpdump',
  // A REST server for backups.
  'rclone',
  // promtool.
  'prometheus',
  'busybox-static',
  // A registry of images, and its password file.
  'docker-registry',
  'apache2-utils',
  'curl',
  'jq',
  'pebble',
  'knot-dnsutils',
  'bind9-utils',
  'bind9-dnsutils',
  'ldnsutils',
  'unbound',
  'chromium',
  // Needs a fifth of the CPU time to open a page.
  'chromium-headless-shell',
  'swaks',
  // swaks needs them for TLS and authentication.
  'libnet-ssleay-perl',
  'libauthen-sasl-perl'
]

const checks: readonly TestPart[] = ['types', 'api', 'format', 'lint'].map((name) => ({
  name,
  script: `check:${name}`
}))
const unit: VitestPart = { name: 'unit', args: ['--project', 'unit'] }
const api: VitestPart = { name: 'API', args: ['--project', 'api'] }

/** Test files about the store and its concurrent users, which run on Debian's PostgreSQL. Vitest filters by parts of the path. */
const storeFiles = ['test/store', 'test/job-', 'test/two-', 'test/quotas', 'crashes', 'test/deployments', 'test/dns-']
const apiOnDebian: TestPart = {
  name: 'API, two processes on Debian\u2019s PostgreSQL',
  args: ['--project', 'api', ...storeFiles],
  env: { TEST_STORE: 'debian', TEST_PROCESSES: '2' }
}

const endToEndProjects = ['e2e', 'e2e-alone', 'pages'].flatMap((name) => ['--project', name])
const endToEnd = (name: string, ...filters: string[]): VitestPart => ({ name, args: [...endToEndProjects, ...filters] })
/** Until three full runs in a row pass without it (docs/testing.md). */
const withSecondTry = (part: VitestPart): VitestPart => ({ ...part, env: { ...part.env, TEST_RETRY: '1' } })

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
const withPriority = (parts: readonly TestPart[], priority: number): TestPart[] =>
  parts.map((part) => ({ ...part, priority }))

/** One file per area tests a whole journey on the real programs. */
const journeys: VitestPart = { ...endToEnd('journeys', 'journey.'), env: { TEST_WORKERS: '2' } }
const areaPart = (area: string) => withSecondTry(endToEnd(area, `e2e/${area}/`))

/** `.ci/run` may take 90 minutes; the areas that changed run as long as gate and areas together stay below this. */
const ciBudgetSeconds = 40 * 60

/**
 * `./panel test`: the gate. `--all` runs every test, area names every file of these areas, `--changed [commit]` the areas that the
 * changes since the commit concern; other arguments go to vitest. In CI the gate is followed by the areas that changed since the
 * last full run.
 */
export async function test(context: CommandContext): Promise<void> {
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  await ensureDebianPackages(run, [...toolPackages, ...programs.flatMap(({ packages }) => packages), ...testPackages])
  await ensureOptional(
    run,
    programs.flatMap(({ optionalPackages }) => optionalPackages ?? [])
  )
  await ensureDockerCommand(run)
  const directory = await mkdtemp(join(tmpdir(), 'panel-tests-'))
  try {
    const { results, notRun = [] } = await runTests({ ...context, directory, elapsed })
    report(context, results, notRun, elapsed())
    if (context.env.TEST_RESULTS === undefined) await keepResults(context, results, elapsed())
    // As a part of another run, on another system.
    else await writeFile(context.env.TEST_RESULTS, JSON.stringify(joined(results)))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

interface TestContext extends CommandContext {
  /** For the results of parts. */
  directory: string
  /** Seconds since the start of the command. */
  elapsed(): number
}

interface Outcome {
  results: readonly TestResults[]
  /** Areas that changed and did not fit into the time. */
  notRun?: readonly string[]
}

async function runTests(context: TestContext): Promise<Outcome> {
  const { args, root, env } = context
  const areas = readAreas(root)
  const [option, commit = 'HEAD'] = args
  if (option === '--all') return { results: await runAll(context) }
  if (option === '--changed') {
    const fast = await runParts(context, [
      { ...unit, args: [...unit.args, '--changed', commit, '--passWithNoTests'] },
      { ...api, args: [...api.args, '--changed', commit, '--passWithNoTests'] }
    ])
    const changed = areasOfChange(areas, await changedPaths(run, root, commit))
    return { results: [...fast, ...(await runAreas(context, changed))] }
  }
  if (args.length > 0 && args.every((name) => name in areas)) return { results: await runAreas(context, args) }
  if (args.length > 0) return { results: await withEngine(context, () => runParts(context, [{ name: 'tests', args }])) }
  const gate = await runGate(context)
  return env.CI === 'true' && countsOf(gate).failed === 0 ? runChangedAreas(context, gate) : { results: gate }
}

const runGate = (context: TestContext) =>
  together(
    runParts(context, withPriority([...checks, unit, api], PRIORITY_BELOW_NORMAL)),
    withEngine(context, () => runParts(context, [journeys]))
  )

async function runAll(context: TestContext): Promise<TestResults[]> {
  const other = await installOtherNode(context.root, run)
  const fast = [...checks, unit, api, apiOnDebian, unitAndApiOn(other)]
  return together(
    // The end-to-end tests take longer, and their cgroup weighs as little as one of these processes at a higher priority.
    runParts(context, withPriority(fast, PRIORITY_LOW)),
    withEngine(context, () =>
      together(
        runParts(context, [withSecondTry(endToEnd('end to end'))]),
        runParts(context, [
          endToEndOn(other),
          // Before there is a panel, whose firewall has rules for builds too.
          onDebian13(context.root, context.directory, 'BuildKit', ['--project', 'e2e', 'e2e/builds/buildkit.']),
          onDebian13(context.root, context.directory, 'journeys', journeys.args)
        ])
      )
    )
  )
}

const runAreas = (context: TestContext, areas: readonly string[]): Promise<TestResults[]> =>
  areas.length === 0 ? Promise.resolve([]) : withEngine(context, () => runParts(context, areas.map(areaPart)))

/** The areas whose folders changed since the last full run, as far as the time goes. */
async function runChangedAreas(context: TestContext, gate: readonly TestResults[]): Promise<Outcome> {
  const { root, elapsed } = context
  const last = await readFullRun(root)
  const paths = last && (await changedPaths(run, root, last.commit).catch(() => undefined))
  if (last === undefined || paths === undefined) {
    const reason = last === undefined ? 'there is no e2e/last-full-run.json' : `${last.commit} is not in this clone`
    return { results: gate, notRun: [`areas that changed (${reason})`] }
  }
  const changed = areasOfChange(readAreas(root), paths)
  const plan = planAreas(changed, last, ciBudgetSeconds - elapsed())
  return { results: [...gate, ...(await runAreas(context, plan.run))], notRun: plan.notRun }
}

/** Waits for every lane before it rejects, because each has programs to stop. */
async function together(...lanes: readonly Promise<TestResults[]>[]): Promise<TestResults[]> {
  const ended = await Promise.allSettled(lanes)
  return ended.flatMap((lane) => {
    if (lane.status === 'rejected') throw lane.reason
    return lane.value
  })
}

/** Runs them sequentially. */
async function runParts(context: TestContext, parts: readonly TestPart[]): Promise<TestResults[]> {
  const results: TestResults[] = []
  for (const part of parts) results.push(await runPart(context, context.directory, part))
  return results
}

/** Starts the container engine, unless one runs, and makes the base images of builds. */
async function withEngine<T>({ env, directory }: TestContext, work: () => Promise<T>): Promise<T> {
  const config = parseConfig({ SESSION_SECRET: 'only starts the engine for the test run', DATA_DIR: directory })
  const engine = createDockerEngine({
    socketPath: config.DOCKER_SOCKET,
    buildArguments: buildProxyArguments(config)
  })
  const { signal } = new AbortController()
  const manager = createManager({ logger: createLogger(config.LOG_LEVEL), step, signal })
  try {
    await manager.start([containerEngine], { config, env, run, engine, step })
    const images = baseImageSteps(config, { engine, log: step, run })
    await images.prepare('node', 'static', 'python', 'php')
    await images.prepareUsualCompilers().catch((error: unknown) => step(messageOf(error)))
    return await work()
  } finally {
    await manager.stop()
  }
}

/** Prints the seconds of each part and the summary, whose last line is what CI reads. */
function report(
  { args }: CommandContext,
  results: readonly TestResults[],
  notRun: readonly string[],
  seconds: number
): void {
  const lines = [
    `${args.length === 0 ? 'Gate' : args.join(' ')}:`,
    ...results.map((result) => `${timed(result.seconds)}  ${result.part}`),
    `${timed(seconds)}  total`,
    ...(notRun.length > 0 ? ['', `Not run: ${notRun.join(', ')}`] : []),
    '',
    ...summaryOf(results)
  ]
  process.stdout.write(`\n${lines.join('\n')}\n`)
  process.exitCode = countsOf(results).failed > 0 ? 1 : 0
}

const timed = (seconds: number) => `${seconds.toFixed(0).padStart(8)} s`

const joined = (results: readonly TestResults[]): Pick<TestResults, 'files' | 'broken'> => ({
  files: results.flatMap(({ files }) => files),
  broken: results.reduce((total, { broken }) => total + broken, 0)
})

/** `node_modules/.cache/panel-test.json` for tools; a green full run also for later runs (`full-run.ts`). */
async function keepResults({ root, args }: CommandContext, results: readonly TestResults[], seconds: number) {
  const { passed, failed, retried } = countsOf(results)
  const [commit, dirty] = [await commitOf(run, root), await isDirty(run, root)]
  const parts = Object.fromEntries(
    results.map((result) => [result.part, { ...countsOf([result]), seconds: Math.round(result.seconds) }])
  )
  const summary = { commit, dirty, passed, failed, retried, seconds: Math.round(seconds), parts }
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true })
  await writeFile(join(root, 'node_modules/.cache/panel-test.json'), `${JSON.stringify(summary, null, 2)}\n`)
  if (args[0] === '--all' && failed === 0) {
    const files = results.flatMap((result) => result.files)
    await writeFullRun(root, fullRunOf(commit, new Date(), seconds, files))
  }
}
