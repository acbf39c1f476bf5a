import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DiskCleanupPreview, ServerDisk } from '@panel/contract/server-disk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { createMachine, type Machine } from '../support/machine.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { builtNodeSite } from '../support/sites.ts'

const nodeImage = 'node:24-trixie-slim'
const images = Object.fromEntries(
  ['NODE', 'STATIC', 'PYTHON', 'PHP', 'COMPILERS'].map((name) => [`BUILD_IMAGE_${name}`, nodeImage])
)

// Own machine: its engine has no images but ours and those of these tests.
let machine: Machine
beforeAll(async () => {
  machine = await createMachine([nodeImage])
})
afterAll(() => machine?.remove())

describe('doctor --fix', () => {
  const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))
  const bridgeFilter = '/proc/sys/net/bridge/bridge-nf-call-iptables'
  const deadTable = 'panel_00000000ff'
  let dataDir: string
  let projects: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'panel-doctor-'))
    projects = join(dataDir, 'projects')
    await mkdir(projects)
  })
  afterAll(async () => {
    await machine.run('sh', '-c', `umount ${projects} || true`)
    await rm(dataDir, { recursive: true, force: true })
  })

  const inMachine = (script: string) => machine.run('sh', '-ec', script)
  /** Its exit status says what is left to do, such as starting the panel. */
  const fix = () =>
    machine.run(
      'env',
      ...[`DATA_DIR=${dataDir}`, `PROJECTS_DIR=${projects}`, `PANEL_NODE=${process.execPath}`, 'MAIL=off'],
      ...Object.entries(images).map(([name, image]) => `${name}=${image}`),
      ...['sh', '-c', '"$0" doctor --fix --yes 2>&1 || true', panelCommand]
    )

  test('repairs what was broken, and then has nothing to do', async () => {
    await chmod(dataDir, 0o755)
    await inMachine(`mount -t tmpfs tmpfs ${projects}
      echo 0 > ${bridgeFilter}
      nft add table inet ${deadTable}
      true & wait $!; echo $! > /run/docker.pid`)

    const output = await fix()
    const done = [...output.matchAll(/^· (.+): done$/gm)].map(([, row]) => row)
    const broken = ['Data directory', 'Stale pid files', 'Container engine', 'Bridge filter', 'Project files', 'Firewall tables of dead panels'] // oxfmt-ignore
    expect(done, output).toEqual(broken)

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).toContain(nodeImage)
    expect(await machine.run('cat', bridgeFilter)).toBe('1')
    expect(await inMachine(`grep ' ${projects} ' /proc/self/mounts`)).toMatch(/nosuid.*nodev|nodev.*nosuid/)
    expect(await machine.run('nft', 'list', 'tables')).not.toContain(deadTable)

    expect(await fix()).toContain('There is nothing that can be fixed automatically')
  })
})

describe('the disk of the server', () => {
  let git: GitHttpServer
  let panel: RunningPanel
  let admin: Client
  let site: Site
  beforeAll(async () => {
    git = await startGitHttpServer(machine.hostAddress)
    panel = await startPanel(
      { GIT_EXTRA_HOSTS: `${machine.hostAddress}:${git.port}`, DEPLOY_DRAIN_SECONDS: '0', ...images },
      machine
    )
    admin = await panel.signUp('admin')
    site = await admin.createSite(git, builtNodeSite('shop', 'date > built'))
    for (let n = 0; n < 2; n++) {
      const deployment = await admin.build(site.id)
      expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    }
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
  })
  afterAll(async () => {
    await panel?.dispose()
    await git?.stop()
  })

  const tags = async () =>
    (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}'))
      .split('\n')
      .filter((tag) => tag.startsWith('panel-'))
  const show = () => admin.call<ServerDisk>('GET', '/system/disk')
  const preview = async () => {
    const { groups } = await admin.call<DiskCleanupPreview>('GET', '/system/disk/cleanup')
    return Object.fromEntries(groups.map((group) => [group.kind, group]))
  }
  const clean = async (kinds: readonly string[]) => {
    const { id } = await admin.call<{ id: string }>('POST', '/system/disk/cleanup', { kinds })
    const { cleanup } = await until(show, (disk) => disk.cleanup?.id === id && disk.cleanup.endedAt !== null)
    return cleanup!
  }
  const expectServing = async () => expect((await panel.visit(site.hostname)).body).toContain('shop')

  test('shows what takes the room', async () => {
    const { disks, projects } = await until(show, ({ measuredAt }) => measuredAt !== null)
    await admin.call('POST', '/system/disk/measure')
    expect(disks.some(({ isPanels }) => isPanels)).toBe(true)
    for (const { usedBytes, kinds } of disks)
      expect(kinds.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThanOrEqual(Math.min(usedBytes, 1))
    expect(projects.length).toBeLessThanOrEqual(50)
  })

  test('keeping fewer releases removes the others at once, and the site keeps serving', async () => {
    expect(await tags()).toHaveLength(2)
    await admin.call('PUT', '/system/settings', { variables: { KEEP_RELEASES: 1 } })
    await until(tags, (left) => left.length === 1)
    await expectServing()
  })

  test('a cleanup removes build cache, and keeps what runs and what others made', async () => {
    await machine.run(
      'sh',
      '-c',
      `printf 'FROM ${nodeImage}\\nRUN echo foreign > /foreign\\n' | DOCKER_BUILDKIT=0 docker build -q -t foreign:1 -`
    )
    await machine.run(
      'sh',
      '-c',
      `printf 'FROM ${nodeImage}\\nRUN echo used > /used\\n' | DOCKER_BUILDKIT=0 docker build -q -t used:1 -`
    )
    await machine.run('docker', 'create', '--name', 'stopped', 'used:1')
    const { OTHER_IMAGES } = await preview()
    expect(OTHER_IMAGES!.items.map(({ name }) => name)).toEqual(['foreign:1'])

    const all = await clean(['BUILD_CACHE', 'RELEASES', 'LEFTOVERS', 'BACKUP_CACHE', 'LOGS'])
    expect(all.status).toBe('COMPLETED')
    const left = (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n')
    for (const kept of [nodeImage, 'foreign:1', 'used:1']) expect(left).toContain(kept)
    expect(await tags()).toHaveLength(1)
    expect((await preview()).BUILD_CACHE!.count).toBe(0)
    await expectServing()

    await clean(['OTHER_IMAGES'])
    const rest = (await machine.run('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n')
    expect([rest.includes('foreign:1'), rest.includes('used:1'), rest.includes(nodeImage)]).toEqual([false, true, true])
    const deployment = await admin.build(site.id)
    expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
    await expectServing()
  })
})
