import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileList } from '@panel/contract/files'
import type { Machine as MachineView, MachineDetails } from '@panel/contract/machines'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { remoteHost } from '../../packages/server/src/infra/container-engine/engine-host.ts'
import type { AdapterError } from '../../packages/server/src/infra/adapter-error.ts'
import type { FileStore } from '../../packages/server/src/infra/file-store/file-store.ts'
import { createNftables } from '../../packages/server/src/infra/host-firewall/nftables.ts'
import type { NodeConnection } from '../../packages/server/src/infra/node-connection/node-connection.ts'
import { ensurePanelKey } from '../../packages/server/src/infra/node-connection/panel-key.ts'
import { createSshConnection } from '../../packages/server/src/infra/node-connection/ssh.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { stateName } from '../../packages/server/src/process/runtime-directory.ts'
import { describeContainerEngine, uniqueName } from '../../packages/server/test/contracts/container-engine.contract.ts'
import { describeFileTree } from '../../packages/server/test/contracts/file-tree.contract.ts'
import { describeHostFirewall } from '../../packages/server/test/contracts/host-firewall.contract.ts'
import { describeHostHelper } from '../../packages/server/test/contracts/host-helper.contract.ts'
import { bufferOf, generousLimits, makeTree, tenantUid } from '../../packages/server/test/fixtures/file-tree.fixture.ts'
import { busyboxRoot } from '../support/busybox.ts'
import { startCommand } from '../support/command.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { createSshMachine, type SshMachine } from '../support/ssh-machine.ts'

// Compiled, because the programs of the other machine are.
const compiled = (path: string) => import(new URL(`../../packages/server/dist/infra/${path}`, import.meta.url).href)
const { createRemoteHostHelper } = (await compiled(
  'host-helper/remote-host-helper.js'
)) as typeof import('../../packages/server/src/infra/host-helper/remote-host-helper.ts')
const { createRemoteFileStore } = (await compiled(
  'file-store/remote-file-store.js'
)) as typeof import('../../packages/server/src/infra/file-store/remote-file-store.ts')

let machine: SshMachine
let directory: string
let connection: NodeConnection

const reaches = () =>
  connection.run(['true'], { timeoutMs: 10_000 }).then(
    () => true,
    () => false
  )

beforeAll(async () => {
  directory = await makeRootDirectory()
  machine = await createSshMachine()
  const { keyPath, publicKey } = await ensurePanelKey(run, join(directory, 'key'))
  await machine.allow(publicKey)
  const { address: host, port, hostKey } = machine
  connection = createSshConnection({ target: { host, port, hostKey }, keyPath, directory: join(directory, 'c') })
  await until(reaches, (isReached) => isReached)
})
afterAll(async () => {
  await connection?.close()
  await machine?.remove()
  await rm(directory, { recursive: true, force: true })
})

describe('a connection', () => {
  test('runs programs with their arguments, input and exit status', async () => {
    const args = ['a b', "it's", '$(id)', 'ü\n-']
    const { stdout } = await connection.run(['printf', '%s|', ...args], { timeoutMs: 10_000 })
    expect(stdout).toBe(args.map((arg) => `${arg}|`).join(''))
    expect((await connection.run(['cat'], { timeoutMs: 10_000, input: 'input' })).stdout).toBe('input')
    await expect(connection.run(['sh', '-c', 'exit 3'], { timeoutMs: 10_000 })).rejects.toMatchObject({ exitCode: 3 })
    await expect(connection.readFile('/nowhere')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('runs more programs at once than the SSH server allows', async () => {
    const runs = Array.from({ length: 30 }, () => connection.run(['sleep', '1'], { timeoutMs: 10_000 }))
    await Promise.all(runs)
  })

  test('is opened again after it was lost', async () => {
    const before = await connection.socket('/run/docker.sock')
    await machine.restartSshd()
    await until(reaches, (isReached) => isReached)
    const socketPath = await connection.socket('/run/docker.sock')
    expect(socketPath).toBe(before)
    expect(await createDockerEngine({ socketPath }).ping()).toBe(await machine.engineVersion())
  })

  test('answers pings, also several at once, but not while it is cut off', async () => {
    await Promise.all([connection.ping(5_000), connection.ping(5_000)])
    await machine.cutOff()
    try {
      await expect(connection.ping(500)).rejects.toMatchObject({ kind: 'node-unavailable' })
    } finally {
      await machine.reconnect()
    }
    await until(
      () =>
        connection.ping(5_000).then(
          () => true,
          () => false
        ),
      (isReached) => isReached
    )
  })
})

describeContainerEngine('over SSH', async () => {
  const image = `${uniqueName('busybox')}:1`
  const engine = createDockerEngine({
    socketPath: () => connection.socket('/run/docker.sock'),
    host: remoteHost(connection)
  })
  await engine.importImage(await busyboxRoot(), image, ['LABEL panel.test=busybox', 'EXPOSE 8080', 'USER 20001'])
  return { engine, image, dispose: () => engine.removeImage(image) }
})

describeHostFirewall('over SSH', async () => {
  const firewall = createNftables({ table: `panel_${randomBytes(5).toString('hex')}`, run: connection.run })
  return { firewall, dispose: () => firewall.remove() }
})

describeHostHelper('over SSH', async () => {
  const home = await makeRootDirectory()
  const context = {
    projectsDirectory: join(home, 'projects'),
    group: `sftp-e2e-${randomBytes(5).toString('hex')}`,
    keysDirectory: join(home, 'state', 'sftp-keys')
  }
  const helper = createRemoteHostHelper({ connection, context, configPath: join(home, 'state', 'host-helper.json') })
  return {
    helper,
    projectsDirectory: context.projectsDirectory,
    uid: 1_900_000_000 + randomInt(10_000_000),
    username: `vsftp_e2e${randomBytes(5).toString('hex')}`,
    close: async () => {
      for (const name of await helper.listAccounts()) await helper.removeAccount(name)
      await rm(home, { recursive: true, force: true })
    }
  }
})

/** In the machine. */
async function fileServer(): Promise<number | undefined> {
  for (const pid of await machine.pids())
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('file-server.js\0')) return pid
  return undefined
}

describe('files over SSH', () => {
  let home: string
  let store: FileStore
  let problems: string[]
  const stagingDirectory = () => join(home, 'staging')
  beforeAll(async () => {
    home = await makeRootDirectory()
    problems = []
    store = createRemoteFileStore({
      connection,
      stagingDirectory: stagingDirectory(),
      onProblem: (line) => problems.push(line)
    })
  })
  afterAll(() => rm(home, { recursive: true, force: true }))
  const makeTreeThere = () => makeTree(home, { store, stagingDirectory: stagingDirectory() })

  describeFileTree('over SSH', makeTreeThere, 'failed in files.write')

  test('a directory is captured and unpacked there', async () => {
    const { root, tree } = await makeTreeThere()
    await tree.write('a', 'content', { mode: 'create' })
    const captured = join(home, 'captured')
    const limits = { maxBytes: 1_000_000, maxFiles: 10 }
    expect(await store.capture(root, captured, { uid: tenantUid, ...limits })).toMatchObject({ files: 1 })
    expect(await readFile(join(captured, 'a'), 'utf8')).toBe('content')
    await writeFile(
      join(home, 'archive'),
      await bufferOf(await tree.pack('', { skip: { paths: ['skipped'], prefixes: [] } }))
    )
    await mkdir(join(home, 'into'))
    const unpacked = await store.unpack(join(home, 'archive'), join(home, 'into'), generousLimits, { uid: tenantUid })
    expect(unpacked.files).toBe(1)
  })

  test('an upload during which the program is killed leaves nothing, and the next one works', async () => {
    const { tree, leftovers } = await makeTreeThere()
    const before = await leftovers()
    const source = new Readable({ read() {} })
    source.push(Buffer.alloc(2_000_000))
    const writing = expect(tree.write('a', source, { mode: 'create' })).rejects.toMatchObject({
      kind: 'node-unavailable'
    })
    await until(leftovers, (found) => found.length > before.length)
    kill((await fileServer())!, 'SIGKILL')
    await writing
    expect(source.destroyed).toBe(true)
    await until(
      () => tree.stat('a').catch((error: AdapterError) => error.kind),
      (kind) => kind === 'file-not-found'
    )
    expect(await tree.write('a', 'again', { mode: 'create' })).toMatchObject({ size: 5 })
    await store.sweep()
    expect(await leftovers()).toEqual([])
  })
})

describe('a machine of the panel', () => {
  let panel: RunningPanel
  let admin: Client
  beforeAll(async () => {
    panel = await startPanel({ DATA_DIR: await makeRootDirectory() })
    admin = await panel.signUp('admin')
  })
  afterAll(() => panel?.dispose())
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(panel?.output().slice(-5_000))
  })

  const add = (values: object = {}) =>
    admin.call<MachineView>('POST', '/machines', {
      name: 'm2',
      host: machine.address,
      port: machine.port,
      hostKey: machine.hostKey,
      ...values
    })
  const check = (id: string) => admin.call<MachineView>('POST', `/machines/${id}/check`)
  const codes = ({ problems }: MachineView) => problems.map(({ sentences }) => sentences[0]!.code)

  test('appears with what it has, gets the status AWAY while it is cut off, and gets no files', async () => {
    const refused = await add({ name: 'too-early' })
    expect(refused).toMatchObject({ status: 'JOINING', memory: null })
    expect(refused.problems[0]!.message).toContain('Permission denied')
    await admin.call('DELETE', `/machines/${refused.id}`)

    const added = await machine.addTo(admin, 'm2')
    expect(added).toMatchObject({
      status: 'ACTIVE',
      roles: ['SITES'],
      engineVersion: await machine.engineVersion(),
      clockSkewMs: 0,
      memory: { totalBytes: expect.any(Number) }
    })
    expect(codes(added).filter((code) => code !== 'DISK' && code !== 'NOT_DEBIAN')).toEqual([])
    const own = (await admin.call<{ machines: MachineView[] }>('GET', '/machines')).machines[0]!
    expect(added.panelVersion).toBe((await check(own.id)).panelVersion)

    const site = await admin.call<{ id: string }>('POST', '/projects', { name: 'shop', type: 'NODEJS' })
    const { sites } = await admin.call<MachineDetails>('GET', `/machines/${own.id}`)
    expect(sites).toMatchObject([{ projectId: site.id, placement: { message: expect.any(String) } }])

    await machine.cutOff()
    const show = async () => (await admin.call<MachineDetails>('GET', `/machines/${added.id}`)).machine
    await until(show, ({ status }) => status === 'AWAY')
    expect((await check(own.id)).problems.filter(({ sentences }) => sentences[0]!.code === 'ENGINE')).toEqual([])
    await machine.reconnect()
    expect((await until(show, ({ status }) => status === 'ACTIVE')).problems).toEqual(added.problems)
  })

  test('has the files of its projects, which are unavailable while it does not respond', async () => {
    const { machines } = await admin.call<{ machines: MachineView[] }>('GET', '/machines')
    const m2 = machines.find(({ name }) => name === 'm2')!
    const { id } = await admin.call<{ id: string }>('POST', '/projects', { name: 'elsewhere', type: 'NODEJS' })
    await panel.query('update projects set files_node_id = $1, files_name = null where id = $2', [m2.id, id])
    await admin.call('POST', `/files/${id}/mkdir`, { path: 'folder' })
    expect(await fileServer()).toBeGreaterThan(0)
    const { nodes } = await admin.call<FileList>('GET', `/files/${id}/list?path=`)
    expect(nodes.map(({ path }) => path)).toEqual(['folder'])

    await machine.cutOff()
    await expect(admin.call('GET', `/files/${id}/list?path=`)).rejects.toThrow('NODE_UNAVAILABLE')
    await machine.reconnect()
    await until(
      () => admin.call<FileList>('GET', `/files/${id}/list?path=`).catch(() => undefined),
      (found) => found !== undefined
    )
  })

  test('with another host key is refused', async () => {
    const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3'
    const added = await add({ name: 'other', hostKey: other })
    expect(added.problems[0]!.message).toContain('Host key verification failed')
    const { stdout } = startCommand(['doctor'], { DATA_DIR: panel.dataDir })
    await until(
      async () => stdout(),
      (text) => /^Machine other .*Host key verification failed/m.test(text)
    )
  })

  const connectionsOfPanel = async () => {
    const { stdout } = await run(['ps', '-eo', 'args'], { timeoutMs: 10_000 })
    return stdout.split('\n').filter((line) => line.includes(`ControlPath=/run/${stateName(panel.dataDir)}/`))
  }

  test('is reached again after the panel was killed, which leaves no connection', async () => {
    expect(await connectionsOfPanel()).not.toEqual([])
    await panel.kill()
    await until(connectionsOfPanel, (found) => found.length === 0)
    await panel.start()
    const { machines } = await admin.call<{ machines: MachineView[] }>('GET', '/machines')
    const m2 = machines.find(({ name }) => name === 'm2')!
    expect(await check(m2.id)).toMatchObject({ status: 'ACTIVE', name: 'm2' })
  })
})
