import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMachine, type Machine } from '../support/machine.ts'

const nodeImage = 'node:24-trixie-slim'
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))
const bridgeFilter = '/proc/sys/net/bridge/bridge-nf-call-iptables'
const deadTable = 'panel_00000000ff'

let machine: Machine
let dataDir: string
let projects: string
beforeAll(async () => {
  machine = await createMachine([nodeImage])
  dataDir = await mkdtemp(join(tmpdir(), 'panel-doctor-'))
  projects = join(dataDir, 'projects')
  await mkdir(projects)
})
afterAll(async () => {
  await machine?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

const inMachine = (script: string) => machine.run('sh', '-ec', script)
/** Its exit status says what is left to do, such as starting the panel. */
const fix = () =>
  machine.run(
    'env',
    ...[`DATA_DIR=${dataDir}`, `PROJECTS_DIR=${projects}`, `PANEL_NODE=${process.execPath}`, 'MAIL=off'],
    ...['NODE', 'STATIC', 'PYTHON', 'PHP', 'COMPILERS'].map((kind) => `BUILD_IMAGE_${kind}=${nodeImage}`),
    ...['sh', '-c', '"$0" doctor --fix --yes 2>&1 || true', panelCommand]
  )

test('doctor --fix repairs what was broken, and then has nothing to do', async () => {
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
