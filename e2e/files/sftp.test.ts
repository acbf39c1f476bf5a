import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Project } from '@panel/contract/projects'
import type { SftpCredentials, SftpUser } from '@panel/contract/sftp'
import { type ConnectConfig, Client as SshClient } from 'ssh2'
import SftpClient from 'ssh2-sftp-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findListener } from '../../packages/server/src/programs/sshd.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createOpenSsh } from '../../packages/server/src/infra/sftp-server/openssh.ts'
import { describeSftpServer } from '../../packages/server/test/contracts/sftp-server.contract.ts'
import { stateName } from '../../packages/server/src/process/runtime-directory.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { type Ended, makeKey, runClient } from '../support/sftp.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)

let directory: string
let local: string
let panel: RunningPanel
let admin: Client
let ann: Client
let credentials: SftpCredentials
let uid: number
let shop: Project

beforeAll(async () => {
  directory = await makeRootDirectory()
  local = await mkdtemp(join(tmpdir(), 'sftp-client-'))
  panel = await startPanel({
    PROJECTS_DIR: join(directory, 'projects'),
    SFTP_HOST: '127.0.0.1',
    SFTP_ACCOUNT_SESSIONS: '6'
  })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  shop = await ann.createProject({ name: 'shop', type: 'STATIC' })
  await makeKey(join(local, 'key'))
  await writeFile(join(local, 'small.txt'), 'from the client\n')
  credentials = await ann.call<SftpCredentials>('POST', '/sftp/provision')
  await ann.call('POST', '/sftp/add-ssh-key', { publicKey: await readFile(join(local, 'key.pub'), 'utf8') })
  const [row] = await panel.query<{ uid: number }>('select uid from users where name = $1', ['ann'])
  uid = row!.uid
})
afterAll(async () => {
  await panel?.dispose()
  for (const path of [directory, local]) await rm(path, { recursive: true, force: true })
})

const files = (...path: string[]) => join(directory, 'projects', 'u', String(uid), ...path)
const options = () => [
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR', '-F', 'none'],
  ...[
    '-o',
    'ConnectTimeout=20',
    '-o',
    'IdentitiesOnly=yes',
    '-o',
    'PasswordAuthentication=no',
    '-i',
    join(local, 'key')
  ]
]
const account = () => `${credentials.username}@127.0.0.1`
const port = () => String(credentials.port)
const sftp = (...commands: string[]): Promise<Ended> =>
  runClient(['sftp', ...options(), '-P', port(), '-b', '-', account()], commands.join('\n'))
const ssh = (...args: string[]): Promise<Ended> => runClient(['ssh', ...options(), '-p', port(), ...args])
const connection = (values: Partial<SftpCredentials> = {}) => {
  const { host, port, username, password } = { ...credentials, ...values }
  // Otherwise each response waits 40 ms for a delayed ACK.
  const sock = connect({ host, port, noDelay: true })
  return { sock, username, password, readyTimeout: 20_000 }
}
const connected = (client: SshClient, to: ConnectConfig) =>
  new Promise<void>((resolve, reject) => client.once('ready', resolve).once('error', reject).connect(to))
async function withPassword<T>(
  work: (client: SftpClient) => Promise<T>,
  values?: Partial<SftpCredentials>
): Promise<T> {
  const client = new SftpClient()
  await client.connect(connection(values))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const canLogIn = async (): Promise<[password: boolean, key: boolean]> => [
  await withPassword(async () => true).catch(() => false),
  (await sftp('ls')).code === 0
]
const asAnn = (...argv: [string, ...string[]]) => execute('setpriv', asUid(...argv), { cwd: files('shop') })
const asUid = (...argv: string[]) => [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...argv]

describeSftpServer('OpenSSH', async () => {
  const closed = await freePort()
  return {
    server: createOpenSsh({ run, host: '127.0.0.1', port: credentials.port }),
    unavailable: createOpenSsh({ run, host: '127.0.0.1', port: closed }),
    close: async () => {}
  }
})

describe('transfers', () => {
  test('projects appear by name, with password and key', async () => {
    expect(await withPassword(async (client) => (await client.list('/')).map((entry) => entry.name))).toEqual(['shop'])
    const listed = await sftp('ls -1', 'pwd')
    expect(listed).toMatchObject({ code: 0 })
    expect(listed.output).toMatch(/^shop\s*$/m)
    expect(listed.output).toContain('Remote working directory: /')
  })

  test('the fingerprints match the server', async () => {
    const scanned = await runClient(['ssh-keyscan', '-p', port(), '127.0.0.1'])
    await writeFile(join(local, 'scanned'), scanned.output.split('\n').filter((line) => !line.startsWith('#')).join('\n')) // oxfmt-ignore
    const { stdout } = await execute('ssh-keygen', ['-lf', join(local, 'scanned')])
    expect(credentials.hostKeys.toSorted()).toEqual(
      stdout.trim().split('\n').map((line) => line.split(' ')[1]).toSorted() // oxfmt-ignore
    )
  })

  test('put, get, rename, mkdir and delete with both clients', async () => {
    const done = await sftp(
      'cd shop',
      `put ${join(local, 'small.txt')} a.txt`,
      'mkdir dir',
      'rename a.txt dir/b.txt',
      `get dir/b.txt ${join(local, 'back.txt')}`,
      'rm dir/b.txt',
      'rmdir dir'
    )
    expect(done).toMatchObject({ code: 0 })
    expect(await readFile(join(local, 'back.txt'), 'utf8')).toBe('from the client\n')
    const big = Buffer.alloc(8 * 1024 * 1024, 'panel')
    await withPassword(async (client) => {
      await client.put(big, '/shop/big.bin')
      expect(big.equals((await client.get('/shop/big.bin')) as Buffer)).toBe(true)
      await client.rename('/shop/big.bin', '/shop/big2.bin')
      await client.delete('/shop/big2.bin')
    })
    expect(await readdir(files('shop'))).toEqual([])
    const copied = await runClient(['scp', ...options(), '-P', port(), join(local, 'small.txt'), `${account()}:/shop/scp.txt`]) // oxfmt-ignore
    expect(copied).toMatchObject({ code: 0 })
    expect(await readFile(files('shop', 'scp.txt'), 'utf8')).toBe('from the client\n')
  })

  test('files are usable by SFTP, the panel and containers', async () => {
    const content = async (path: string) =>
      (await ann.call<{ content: string }>('GET', `/files/${shop.id}/read?path=${path}`)).content
    await sftp('cd shop', `put ${join(local, 'small.txt')} sftp.txt`, 'mkdir uploads')
    expect(await lstat(files('shop', 'sftp.txt'))).toMatchObject({ uid, gid: uid })
    expect((await lstat(files('shop', 'sftp.txt'))).mode & 0o007).toBe(0)
    expect(await content('sftp.txt')).toBe('from the client\n')

    const inContainer = (script: string) =>
      execute('/usr/bin/docker', [
        ...['run', '--rm', '--network', 'none', '--user', `${uid}:${uid}`, '--cap-drop', 'ALL'],
        ...['-v', `${join(directory, 'projects', 'by-id', shop.id)}:/data`, 'node:24-trixie-slim', 'sh', '-ec', script]
      ])
    const { stdout } = await inContainer('cat /data/sftp.txt; echo more >> /data/sftp.txt; echo site > /data/uploads/site.txt') // oxfmt-ignore
    expect(stdout).toBe('from the client\n')
    expect(await content('sftp.txt')).toBe('from the client\nmore\n')
    expect(await content('uploads/site.txt')).toBe('site\n')

    await ann.call('POST', `/files/${shop.id}/write`, { path: 'uploads/site.txt', content: 'panel\n' })
    await ann.call('POST', `/files/${shop.id}/create`, { path: 'made.txt', content: 'panel\n' })
    await withPassword(async (client) => {
      expect(String(await client.get('/shop/uploads/site.txt'))).toBe('panel\n')
      await client.append(Buffer.from('sftp\n'), '/shop/made.txt')
      await client.append(Buffer.from('sftp\n'), '/shop/uploads/site.txt')
      await client.delete('/shop/uploads/site.txt')
    })
    await inContainer('echo container >> /data/made.txt')
    expect(await content('made.txt')).toBe('panel\nsftp\ncontainer\n')
  })
})

describe('an account is confined', () => {
  beforeAll(async () => {
    const links = { passwd: '/etc/passwd', relative: '../../../../../../../etc/passwd', root: '/' }
    for (const [name, target] of Object.entries(links)) await asAnn('ln', '-s', target, name)
  })

  test('by no path or link', async () => {
    const paths = [
      '/../../../etc/passwd',
      '/shop/../../../../etc/passwd',
      '/etc/passwd',
      '/shop/passwd',
      '/shop/relative',
      '/shop/root/etc/passwd',
      '/proc/self/root/etc/passwd'
    ]
    await withPassword(async (client) => {
      for (const path of paths) {
        await expect(client.get(path), path).rejects.toThrow(/No such file|not exist/i)
        await expect(client.put(Buffer.from('x'), path), path).rejects.toThrow()
      }
    })
    expect(await readFile('/etc/passwd', 'utf8')).toContain('root:')
  })

  test('with its own symlinks', async () => {
    const made = await sftp('cd shop', 'symlink /etc/passwd own', 'get own /dev/null')
    expect(made.code).not.toBe(0)
    expect((await sftp('cd shop', 'ln /etc/passwd hard')).code).not.toBe(0)
    expect((await sftp('ln /../../../etc/passwd /shop/hard')).code).not.toBe(0)
    expect(await readdir(files('shop'))).not.toContain('hard')
  })

  test.each([
    ['write', 'put /etc/hostname /x'],
    ['make a directory', 'mkdir /x'],
    ['rename a project', 'rename /shop /other'],
    ['remove a project', 'rmdir /shop'],
    ['give a project to somebody', 'chown 0 /shop'],
    ['change the mode of the root', 'chmod 777 /']
  ])('it cannot %s at the top level', async (_, command) => {
    expect((await sftp(command)).code).not.toBe(0)
    expect((await readdir(files())).filter((name) => !name.startsWith('.'))).toEqual(['shop'])
    expect(await lstat(files())).toMatchObject({ uid: 0, mode: 0o40750 })
  })

  test.each([
    ['a command', ['id']],
    ['a shell', []],
    ['a terminal', ['-tt']],
    ['another subsystem', ['-s', 'netconf']],
    ['the server of the system', ['/usr/lib/openssh/sftp-server']]
  ])('%s does not run', async (_, args) => {
    const [option = '', ...rest] = args
    const ended = await (option.startsWith('-') ? ssh(option, account(), ...rest) : ssh(account(), ...args))
    expect(ended.code).not.toBe(0)
    expect(ended.output).not.toMatch(/uid=/)
  })

  test('legacy scp does not run', async () => {
    const target = `${account()}:/shop/old.txt`
    const ended = await runClient(['scp', '-O', ...options(), '-P', port(), join(local, 'small.txt'), target])
    expect(ended.code).not.toBe(0)
    expect(await readdir(files('shop'))).not.toContain('old.txt')
  })

  test('no forwarding: ports or the engine socket', async () => {
    const inner = createServer((socket) => socket.end('secret'))
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
    const innerPort = (inner.address() as { port: number }).port
    const client = new SshClient()
    try {
      await connected(client, connection())
      const refusal = (attempt: (done: (error?: Error | null) => void) => void) =>
        new Promise<string>((resolve) => attempt((error) => resolve(error?.message ?? 'it was allowed')))
      expect(await refusal((done) => client.forwardOut('127.0.0.1', 0, '127.0.0.1', innerPort, done))).toMatch(/refused|fail|prohibited/i) // oxfmt-ignore
      expect(await refusal((done) => client.forwardIn('127.0.0.1', 0, done))).toMatch(/Unable/)
      expect(await refusal((done) => client.openssh_forwardOutStreamLocal('/var/run/docker.sock', done))).toMatch(/fail|refused|prohibited/i) // oxfmt-ignore
      expect(await refusal((done) => client.openssh_forwardInStreamLocal('/tmp/panel-e2e.sock', done))).toMatch(/Unable/) // oxfmt-ignore
    } finally {
      client.end()
      inner.close()
    }
  })

  test('against a race with a container that swaps a directory for a symlink', async () => {
    await writeFile(join(directory, 'outside'), 'outside')
    await asAnn('mkdir', '-p', 'race/a')
    await asAnn('sh', '-c', 'printf decoy > race/a/outside')
    await symlink(directory, files('shop', 'race', 'b'))
    const swap = `const { renameSync } = require('node:fs'); process.chdir('race')
      for (;;) { renameSync('a', 't'); renameSync('t', 'a'); renameSync('b', 't'); renameSync('t', 'b') }`
    const swapper = spawn('setpriv', asUid(process.execPath, '-e', swap), { cwd: files('shop') })
    const seen = { decoy: 0, refused: 0, leaked: 0 }
    try {
      await withPassword(async (client) => {
        // Enough rounds that the swap is hit both ways.
        for (let i = 0; i < 20_000 && (i < 1_000 || seen.decoy === 0 || seen.refused === 0); i++) {
          const read = await client.get('/shop/race/t/outside').catch(() => undefined)
          if (read === undefined) seen.refused++
          else seen[String(read) === 'outside' ? 'leaked' : 'decoy']++
        }
      })
    } finally {
      kill(swapper.pid!, 'SIGKILL')
    }
    expect(seen.leaked).toBe(0)
    expect(seen.decoy).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
  })
})

describe('projects', () => {
  const names = async () => (await withPassword((client) => client.list('/'))).map((entry) => entry.name).toSorted()

  test('are added, renamed, swapped and removed', async () => {
    const one = await ann.createProject({ name: 'one', type: 'STATIC' })
    const two = await ann.createProject({ name: 'two', type: 'STATIC' })
    await until(names, (found) => found.join() === 'one,shop,two')
    await withPassword(async (client) => {
      await client.put(Buffer.from('1'), '/one/which')
      await client.put(Buffer.from('2'), '/two/which')
    })
    for (const [project, name] of [
      [one, 'three'],
      [two, 'one'],
      [one, 'two']
    ] as const)
      // oxfmt-ignore
      await ann.call('PUT', `/projects/${project.id}`, { name })
    await until(
      () => withPassword(async (client) => [String(await client.get('/one/which')), String(await client.get('/two/which'))]).catch(() => []), // oxfmt-ignore
      (found) => found.join() === '2,1'
    )
    for (const { id } of [one, two]) await ann.call('DELETE', `/projects/${id}`)
    await until(names, (found) => found.join() === 'shop')
    await until(() => readdir(files()), (found) => found.join() === 'shop') // oxfmt-ignore
    expect(await readdir(join(directory, 'projects', 'by-id'))).toEqual([shop.id])
  })
})

describe('access', () => {
  test('disable ends sessions and refuses logins, enable allows them', async () => {
    const container = spawn('setpriv', asUid('sleep', '600'))
    const open = new SftpClient()
    await open.connect(connection())
    const ended = new Promise((resolve) => open.on('close', resolve))
    open.on('error', () => {})
    try {
      expect(await ann.call<SftpUser>('DELETE', '/sftp/disable')).toMatchObject({ isEnabled: false })
      await ended
      expect(await canLogIn()).toEqual([false, false])
      expect(container.exitCode).toBeNull()
      expect(container.signalCode).toBeNull()
      expect(await ann.call<SftpUser>('POST', '/sftp/enable')).toMatchObject({ isEnabled: true })
      expect(await canLogIn()).toEqual([true, true])
    } finally {
      kill(container.pid!, 'SIGKILL')
    }
  })

  test('only the rotated password works', async () => {
    const previous = credentials.password
    credentials = await ann.call<SftpCredentials>('POST', '/sftp/rotate-password')
    expect(await canLogIn()).toEqual([true, true])
    await expect(withPassword(async () => true, { password: previous })).rejects.toThrow(/authentication/i)
    expect(await ann.call('GET', '/sftp/credentials')).toEqual(credentials)
  })

  test('a removed key stops working', async () => {
    const publicKey = await readFile(join(local, 'key.pub'), 'utf8')
    await ann.call('POST', '/sftp/remove-ssh-key', { publicKey })
    expect(await canLogIn()).toEqual([true, false])
    await ann.call('POST', '/sftp/add-ssh-key', { publicKey })
    expect(await canLogIn()).toEqual([true, true])
  })

  test('a suspended user is locked out until resumed', async () => {
    const carl = await panel.signUp('carl')
    const his = await carl.call<SftpCredentials>('POST', '/sftp/provision')
    const isIn = () => withPassword(async () => true, his).catch(() => false)
    expect(await isIn()).toBe(true)
    const [row] = await panel.query<{ id: string }>('select id from users where name = $1', ['carl'])
    await admin.call('POST', `/users/${row!.id}/suspend`)
    expect(await isIn()).toBe(false)
    await admin.call('POST', `/users/${row!.id}/resume`)
    await until(isIn, Boolean)
    await admin.call('DELETE', `/users/${row!.id}`)
    expect(await isIn()).toBe(false)
  })

  test('sessions per account are limited, and other accounts can log in', async () => {
    const dora = await panel.signUp('dora')
    const his = await dora.call<SftpCredentials>('POST', '/sftp/provision')
    const clients = Array.from({ length: 14 }, () => new SftpClient())
    let open = 0
    for (const client of clients) client.on('error', () => {})
    try {
      await clients[0]!.connect(connection())
      const strangers = Array.from({ length: 8 }, () => connect(Number(port()), '127.0.0.1').on('error', () => {}))
      for (const client of clients.slice(1)) {
        client.on('end', () => open--)
        await client.connect(connection()).then(() => open++, () => {}) // oxfmt-ignore
        expect(await withPassword(async () => true, his).catch(String)).toBe(true)
      }
      await until(async () => open, (count) => count <= 5) // oxfmt-ignore
      expect(open).toBe(5)
      expect((await clients[0]!.list('/')).map((entry) => entry.name)).toEqual(['shop'])
      for (const stranger of strangers) stranger.destroy()
    } finally {
      await Promise.all(clients.map((client) => client.end().catch(() => {})))
    }
    expect(await canLogIn()).toEqual([true, true])
    const [row] = await panel.query<{ id: string }>('select id from users where name = $1', ['dora'])
    await admin.call('DELETE', `/users/${row!.id}`)
  })

  test('no other system accounts, no other user’s files', async () => {
    await expect(withPassword(async () => true, { username: 'root' })).rejects.toThrow(/authentication/i)
    const bob = await panel.signUp('bob')
    await bob.createProject({ name: 'bobs', type: 'STATIC' })
    const his = await bob.call<SftpCredentials>('POST', '/sftp/provision')
    await withPassword(async (client) => {
      expect((await client.list('/')).map((entry) => entry.name)).toEqual(['bobs'])
      await expect(client.list('/shop')).rejects.toThrow()
    }, his)
    const [row] = await panel.query<{ id: string }>('select id from users where name = $1', ['bob'])
    await admin.call('DELETE', `/users/${row!.id}?projects=delete`)
    expect(await readFile('/etc/passwd', 'utf8')).not.toContain(his.username)
    expect(await readFile('/etc/group', 'utf8')).not.toContain(his.username)
  })
})

describe('the machine’s own SSH server', () => {
  test('confines accounts with the given config block', async () => {
    const name = `50-sftp-${stateName(panel.dataDir)}.conf`
    const ownPort = await freePort()
    const config = join(local, 'sshd_config')
    await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(local, 'host_key')])
    await writeFile(
      config,
      `Include /etc/ssh/sshd_config.d/${name}\nPort ${ownPort}\nListenAddress 127.0.0.1\nHostKey ${join(local, 'host_key')}
PidFile none\nUsePAM yes\nX11Forwarding yes\nSubsystem sftp /usr/lib/openssh/sftp-server\n`
    )
    const server: ChildProcess = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' })
    const there = { port: ownPort }
    try {
      await until(() => withPassword(async () => true, there).catch(() => false), Boolean)
      await withPassword(async (client) => {
        expect((await client.list('/')).map((entry) => entry.name)).toEqual(['shop'])
        await expect(client.get('/shop/passwd')).rejects.toThrow()
      }, there)
      const args = [...options(), '-p', String(ownPort)]
      expect((await runClient(['ssh', ...args, account(), 'id'])).output).not.toMatch(/uid=/)
      const client = new SshClient()
      await connected(client, connection(there))
      const error = await new Promise<Error | undefined>((resolve) =>
        client.forwardOut('127.0.0.1', 0, '127.0.0.1', ownPort, resolve)
      )
      client.end()
      expect(error).toBeInstanceOf(Error)
    } finally {
      kill(server.pid!, 'SIGTERM')
    }
  })
})

describe('the panel', () => {
  test('restarts a killed SFTP server', async () => {
    const listener = await findListener(join('/var/lib', stateName(panel.dataDir), 'sftp'))
    kill(listener!, 'SIGKILL')
    await until(canLogIn, ([password, key]) => password && key)
  })

  test('when killed, leaves SFTP running and adopts it with the same host keys', async () => {
    const open = new SftpClient()
    await open.connect(connection())
    await panel.kill()
    expect((await open.list('/')).map((entry) => entry.name)).toEqual(['shop'])
    expect(await canLogIn()).toEqual([true, true])
    await panel.start()
    expect((await open.list('/')).map((entry) => entry.name)).toEqual(['shop'])
    await open.end()
    expect(await canLogIn()).toEqual([true, true])
    expect(await ann.call('GET', '/sftp/credentials')).toEqual(credentials)
  })

  test('recreates accounts on a machine without them', async () => {
    await panel.stop()
    expect(await canLogIn()).toEqual([false, false])
    await execute('userdel', ['--force', credentials.username])
    await panel.start()
    await until(canLogIn, ([password, key]) => password && key)
  })

  test('leaves nothing of a deleted user', async () => {
    const [row] = await panel.query<{ id: string }>('select id from users where name = $1', ['ann'])
    await admin.call('DELETE', `/users/${row!.id}?projects=delete`)
    expect(await canLogIn()).toEqual([false, false])
    for (const path of ['/etc/passwd', '/etc/group', '/etc/shadow']) {
      const text = await readFile(path, 'utf8')
      expect(text).not.toContain(credentials.username)
      expect(text).not.toContain(stateName(panel.dataDir))
    }
    expect((await readdir('/etc/ssh/sshd_config.d')).join()).not.toContain(stateName(panel.dataDir))
    await until(() => readdir(files()), (found) => found.length === 0) // oxfmt-ignore
  })
})
