import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareBaseImages } from '../infra/base-images/base-images.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { run } from '../infra/process/run.ts'
import { parseConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { containerEngine } from '../programs/container-engine.ts'
import { programs } from '../programs/list.ts'
import { createManager } from '../programs/manager.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages, toolPackages } from './debian-packages.ts'

/** Beyond what a server needs: the other ends that the tests talk to. */
const testPackages = [
  'sudo',
  'python3',
  'procps',
  'redis-server',
  'busybox-static',
  'curl',
  'pebble',
  'knot-dnsutils',
  'bind9-utils',
  'bind9-dnsutils',
  'ldnsutils',
  'unbound'
]

/**
 * `./panel test`: every test, on the real programs. With arguments, vitest gets those instead. The API tests run twice: on the
 * embedded store and on Debian's PostgreSQL.
 */
export async function test({ args, root, env }: CommandContext): Promise<void> {
  await ensureDebianPackages(run, [...toolPackages, ...programs.flatMap(({ packages }) => packages), ...testPackages])
  const directory = await mkdtemp(join(tmpdir(), 'panel-tests-'))
  const config = parseConfig({ SESSION_SECRET: 'only starts the engine for the test run', DATA_DIR: directory })
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  const signal = new AbortController().signal
  const manager = createManager({ logger: createLogger(config.LOG_LEVEL), step, signal })
  try {
    await manager.start([containerEngine], { config, env, run, engine, step })
    const images = {
      node: config.BUILD_IMAGE_NODE,
      python: config.BUILD_IMAGE_PYTHON,
      static: config.BUILD_IMAGE_STATIC,
      php: config.BUILD_IMAGE_PHP
    }
    await prepareBaseImages({ engine, images, kinds: ['node', 'static', 'python', 'php'], log: step, run })
    const results: RunSummary[] = []
    if (args.length > 0) results.push(await vitest(root, env, args))
    else {
      step('Unit and API tests, on the embedded store')
      results.push(await vitest(root, env, ['--project', 'unit', '--project', 'api']))
      step("API tests, on Debian's PostgreSQL")
      results.push(await vitest(root, { ...env, TEST_STORE: 'debian' }, ['--project', 'api']))
      step('End-to-end tests')
      results.push(await vitest(root, env, ['--project', 'e2e']))
    }
    const sum = (member: 'passed' | 'failed' | 'skipped') =>
      results.reduce((total, result) => total + result[member], 0)
    const broken = results.filter((result) => result.exitCode !== 0 && result.failed === 0).length
    process.stdout.write(
      `\n${sum('passed')} passed, ${sum('failed') + broken} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}\n`
    )
    process.exitCode = sum('failed') + broken > 0 ? 1 : 0
  } finally {
    await manager.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

interface RunSummary {
  exitCode: number
  passed: number
  failed: number
  skipped: number
}

function vitest(root: string, env: CommandContext['env'], args: readonly string[]): Promise<RunSummary> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let tail = ''
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      tail = (tail + chunk.toString()).slice(-10_000)
    })
    child.on('error', reject)
    child.on('close', (exitCode) => {
      // Our own reporter's line (test/support/summary-reporter.ts).
      const [, passed = '0', failed = '0', skipped = '0'] =
        [...tail.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1) ?? []
      resolve({ exitCode: exitCode ?? 1, passed: Number(passed), failed: Number(failed), skipped: Number(skipped) })
    })
  })
}
