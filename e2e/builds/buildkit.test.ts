import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { createNftables } from '../../packages/server/src/infra/host-firewall/nftables.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { until } from '../support/poll.ts'
import { lockFiles, siteWithDependency } from '../support/sites.ts'
import { createBuildBench } from './image-builder.harness.ts'

// Debian 13 only: the engine of Debian 12 has the classic builder.
const { kind } = await createDockerEngine({ socketPath: '/var/run/docker.sock' })
  .findBuilder()
  .catch(() => ({ kind: 'classic' }))

const base = 'FROM node:24-trixie-slim\n'
const [account, other] = [21_001, 21_002]

describe.skipIf(kind !== 'buildkit')('builds with BuildKit', () => {
  let bench: Awaited<ReturnType<typeof createBuildBench>>
  beforeAll(async () => {
    bench = await createBuildBench(['node'])
  })
  afterAll(() => bench?.close())
  const build = (dockerfile: string, settings: Partial<Parameters<typeof bench.buildFiles>[1]> = {}) =>
    bench.buildFiles(
      { Dockerfile: dockerfile, 'greeting.txt': 'hello\n' },
      { type: 'DOCKERFILE', account, ...settings }
    )

  test('what Dockerfiles of today use', async () => {
    const { log } = await build(
      `# syntax=docker/dockerfile:1.9
${base}WORKDIR /app
COPY --link --chmod=640 greeting.txt /app/
COPY <<-EOF /app/made.txt
	made by a here-document
	EOF
RUN <<'EOF'
set -e
test "$(stat -c %a greeting.txt)" = 640
grep -q 'made by' made.txt
echo "a script of several lines"
EOF
RUN --mount=type=bind,source=greeting.txt,target=/tmp/greeting.txt cat /tmp/greeting.txt
RUN --mount=type=tmpfs,target=/scratch --network=none echo "in memory" > /scratch/x && cat /scratch/x
RUN --mount=type=secret,id=API_TOKEN echo "one of $(wc -c < /run/secrets/API_TOKEN) bytes"
RUN --mount=type=secret,id=env . /run/secrets/env && echo "all: \${#API_TOKEN}"
RUN --mount=type=secret,id=ABSENT ls /run/secrets 2>&1 || echo "none"
`,
      { buildEnv: { API_TOKEN: `it's $HOME` } }
    )
    for (const line of ['a script of several lines', 'hello', 'in memory', 'one of 10 bytes', 'all: 10', 'none'])
      expect(log).toMatch(new RegExp(`^${line}$`, 'm'))
    expect(log).toContain('mounts the secret ABSENT')
    expect(log).toMatch(/^Step 2\/\d+ : WORKDIR \/app$/m)
    expect(log).not.toContain('panel-21001')
  })

  test('the same Dockerfile again uses the layers, and says so', async () => {
    const dockerfile = `${base}RUN echo once\n`
    await build(dockerfile)
    expect((await build(dockerfile)).log).toMatch(/RUN echo once\n ---> Using cache/)
  })

  test('neither caches nor results of steps are shared between accounts', async () => {
    const cached = (note: number) =>
      `${base}RUN --mount=type=cache,id=deps,target=/c ls -A /c; echo mine > /c/file # ${note}\n`
    await build(cached(1))
    expect((await build(cached(2))).log).toMatch(/^file$/m)
    expect((await build(cached(2), { account: other })).log).not.toMatch(/^file$/m)

    const secret = `${base}RUN --mount=type=secret,id=TOKEN wc -c < /run/secrets/TOKEN\n`
    expect((await build(secret, { buildEnv: { TOKEN: 'of one account' } })).log).toMatch(/^14$/m)
    expect((await build(secret, { account: other, buildEnv: { TOKEN: 'x' } })).log).toMatch(/^1$/m)
  })

  test('a step above the limit of memory is named', async () => {
    const hungry = `${base}RUN node -e "const all = []; for (;;) all.push(Buffer.alloc(2e7, 1))"\n`
    await expect(build(hungry, { memoryBytes: 200 * 2 ** 20 })).rejects.toThrow(
      /exit code: 137[^]*exceeded the limit of 200 MiB of memory/
    )
  })

  test('cancelling ends the step and leaves no cgroup', async () => {
    const stop = new AbortController()
    const before = await buildCgroups()
    let log = ''
    const work = build(`${base}RUN echo running && sleep 4321\n`, {
      signal: stop.signal,
      onLog: (text) => (log += text)
    })
    const ended = expect(work).rejects.toThrow('cancelled by hand')
    await until(
      async () => log,
      (log) => /^running$/m.test(log)
    )
    expect(await sleepers()).toHaveLength(1)
    stop.abort(new Error('cancelled by hand'))
    await ended
    await until(sleepers, ({ length }) => length === 0)
    await until(buildCgroups, (left) => left.every((name) => before.includes(name)))
  })

  test('a failed step is reported with its output', async () => {
    await expect(build(`${base}RUN echo the reason >&2; exit 3\n`)).rejects.toThrow(
      /did not complete successfully: exit code: 3[^]*the reason/
    )
  })

  test('a preset: variables are in no layer, a new one builds again, and packages come from the cache', async () => {
    const name = 'acme/preset'
    const files = {
      ...siteWithDependency('npm', { build: 'echo "the token has ${#API_TOKEN} characters"' }),
      ...lockFiles.npm
    }
    const hash = await bench.repositories.createRepository(name, files)
    const preset = (API_TOKEN: string, hash: string) =>
      bench.build(name, hash, { type: 'NODEJS', account, buildEnv: { API_TOKEN } })
    const first = await preset('a-secret-of-the-site', hash)
    expect(first.log).toContain('the token has 20 characters')
    expect(JSON.stringify(await bench.engine.imageLayers(first.tag))).not.toContain('a-secret-of-the-site')
    expect((await preset('another', hash)).log).toContain('the token has 7 characters')

    const offline = await bench.repositories.commit(name, { '.npmrc': 'offline=true\n' }, 'Install from the cache only')
    expect((await preset('another', offline)).log).toMatch(/added \d+ package/)
  })

  test('the firewall of builds holds for their steps', async () => {
    const bridge = await bench.engine.defaultBridge()
    // Node.js lists no bridge without a running container.
    const { stdout } = await run(['ip', '-j', '-4', 'address', 'show', 'dev', bridge], { timeoutMs: 10_000 })
    const [
      {
        addr_info: [{ local: gateway }]
      }
    ] = JSON.parse(stdout) as [{ addr_info: [{ local: string }] }]
    const service = createServer((socket) => socket.end()).listen(0, '0.0.0.0')
    await once(service, 'listening')
    const { port } = service.address() as AddressInfo
    const script = `const end = (word) => { console.log(word); process.exit() }
      require('net').connect(${port}, '${gateway}').on('connect', () => end('reached')).on('error', () => end('refused'))
      setTimeout(() => end('refused'), 2000)`.replaceAll('\n', ';')
    const reach = (when: string) => build(`${base}RUN node -e "${script}" # ${when}\n`)
    const firewall = createNftables({ table: `panel_${randomBytes(5).toString('hex')}`, run })
    try {
      expect((await reach('before')).log).toMatch(/^reached$/m)
      await firewall.apply({
        bridgePrefix: 'pntest',
        buildBridgePrefix: 'pntestb',
        bridges: [],
        defaultBridge: bridge,
        openPorts: [],
        nameservers: [],
        services: { address: '', bridge: '', ports: [], connectionsPerAccount: 1, isAddressShared: false },
        networks: [],
        pools: [],
        egress: { denyPrivate: true, allow: [], allowSmtp: false }
      })
      expect((await reach('after')).log).toMatch(/^refused$/m)
    } finally {
      await firewall.remove()
      service.close()
    }
  })

  test('the cache is counted and pruned', async () => {
    await build(`${base}RUN head -c 20000000 /dev/urandom > /random\n`)
    const sum = async () => (await bench.engine.listBuildCache()).reduce((all, { sizeBytes }) => all + sizeBytes, 0)
    const before = await sum()
    expect(before).toBeGreaterThan(20_000_000)
    await bench.engine.pruneBuildCache({ before: new Date(0) })
    expect(await sum()).toBe(before)
    expect(await bench.engine.pruneBuildCache({ keepBytes: 0 })).toBeGreaterThan(0)
    expect(await sum()).toBeLessThan(before)
  })
})

const buildCgroups = async (): Promise<string[]> =>
  (await readdir('/sys/fs/cgroup/pids').catch(() => readdir('/sys/fs/cgroup'))).filter((name) =>
    name.startsWith('panelbuild')
  )

async function sleepers(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.filter((command) => command.startsWith('sleep\u00004321'))
}
