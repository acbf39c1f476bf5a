import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HostHelper } from '../../packages/server/src/infra/host-helper/host-helper.ts'
import { createHostHelper } from '../../packages/server/src/infra/host-helper/local-host-helper.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { describeHostHelper } from '../../packages/server/test/contracts/host-helper.contract.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { kill } from '../support/processes.ts'

const execute = promisify(execFile)
const dist = fileURLToPath(new URL('../../packages/server/dist/infra/host-helper/', import.meta.url))

const uid = 1_900_000_000 + randomInt(10_000_000)
const unique = randomBytes(5).toString('hex')
const group = `sftp-e2e-${unique}`
const username = `vsftp_e2e${unique}`
const neighbour = `vsftp_two${unique}`

let directory: string
let projects: string
let helper: HostHelper
let options: Parameters<typeof createHostHelper>[0]
const systemFiles = ['/etc/passwd', '/etc/group', '/etc/shadow', '/etc/subuid', '/etc/subgid']
const readSystem = () => Promise.all(systemFiles.map((path) => readFile(path, 'utf8')))
let systemBefore: string[]

beforeAll(async () => {
  systemBefore = await readSystem()
})
beforeEach(async () => {
  directory = await makeRootDirectory()
  projects = join(directory, 'projects')
  await mkdir(join(directory, 'ssh', 'sshd_config.d'), { recursive: true })
  options = {
    run,
    projectsDirectory: projects,
    group,
    keysDirectory: join(directory, 'state', 'sftp-keys'),
    sshDirectory: join(directory, 'ssh')
  }
  helper = createHostHelper(options)
})
afterEach(async () => {
  for (const name of await helper.listAccounts()) await helper.removeAccount(name)
  await rm(directory, { recursive: true, force: true })
})
afterAll(async () => {
  expect(await readSystem()).toEqual(systemBefore)
})

const home = () => join(projects, 'u', String(uid))
const byId = (id: string, ...path: string[]) => join(projects, 'by-id', id, ...path)
const namesIn = async (path: string) => (await readdir(path)).toSorted()
const mark = (id: string) => writeFile(byId(id, 'whose'), id)
const whose = (name: string) => readFile(join(home(), name, 'whose'), 'utf8')

describeHostHelper('the machine', async () => ({
  helper,
  projectsDirectory: projects,
  uid,
  username,
  close: async () => {}
}))

describe('project directories', () => {
  test('are private below a root-owned folder', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    expect(await lstat(join(home(), 'shop'))).toMatchObject({ uid, gid: uid, mode: 0o40750 })
    expect(await lstat(home())).toMatchObject({ uid: 0, gid: uid, mode: 0o40750 })
    expect(await lstat(join(projects, 'u'))).toMatchObject({ uid: 0, gid: 0, mode: 0o40711 })
    for (const name of ['staging', 'trash'])
      expect(await lstat(join(projects, name))).toMatchObject({ uid: 0, mode: 0o40700 })
    await mark('p1')
    expect(await whose('shop')).toBe('p1')
  })

  test('are renamed, swapped and rotated; repeating changes nothing', async () => {
    const give = (...names: string[]) =>
      helper.syncProjects(
        uid,
        names.map((name, index) => ({ id: `p${index}`, name }))
      )
    await give('one', 'two', 'three')
    for (const id of ['p0', 'p1', 'p2']) await mark(id)
    for (const names of [
      ['four', 'two', 'three'],
      ['two', 'four', 'three'],
      ['three', 'two', 'four'],
      ['three', 'two', 'four'],
      ['four', 'three', 'two']
    ]) {
      await give(...names)
      expect(await namesIn(home())).toEqual(names.toSorted())
      for (const [index, name] of names.entries()) expect(await whose(name)).toBe(`p${index}`)
    }
  })

  test('a name of a deleted project is reused without losing its files', async () => {
    await helper.syncProjects(uid, [{ id: 'old', name: 'shop' }])
    await mark('old')
    await helper.syncProjects(uid, [{ id: 'new', name: 'shop' }])
    await mark('new')
    expect(await whose('shop')).toBe('new')
    expect(await readFile(byId('old', 'whose'), 'utf8')).toBe('old')
    await helper.removeProject(uid, 'old')
    expect(await namesIn(home())).toEqual(['shop'])
    expect(await whose('shop')).toBe('new')
  })

  test('files placed by the administrator are moved aside and kept', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'one' }])
    await mkdir(join(home(), 'two'))
    await writeFile(join(home(), 'two', 'whose'), 'the administrator')
    await helper.syncProjects(uid, [{ id: 'p1', name: 'two' }])
    const [left] = (await namesIn(home())).filter((name) => name.startsWith('.left.two.'))
    expect(await whose(left!)).toBe('the administrator')
  })

  test('a restored directory without its link is matched by name', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await mark('p1')
    await rm(join(projects, 'by-id'), { recursive: true })
    await chown(join(home(), 'shop'), 12345, 12345)
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    expect(await readFile(byId('p1', 'whose'), 'utf8')).toBe('p1')
    expect(await lstat(join(home(), 'shop'))).toMatchObject({ uid, gid: uid })
  })

  test('of two accounts with the same names and ids stay separate', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await helper.syncProjects(uid + 1, [{ id: 'p2', name: 'shop' }])
    await mark('p1')
    await mark('p2')
    await helper.removeProject(uid + 1, 'p1')
    expect(await whose('shop')).toBe('p1')
  })

  test('are removed completely without following links; repeating changes nothing', async () => {
    const outside = join(directory, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'precious'), '')
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await mkdir(byId('p1', 'deep', 'er'), { recursive: true })
    await symlink(outside, byId('p1', 'deep', 'link'))
    await helper.removeProject(uid, 'p1')
    await helper.removeProject(uid, 'p1')
    expect(await namesIn(home())).toEqual([])
    expect(await namesIn(join(projects, 'by-id'))).toEqual([])
    expect(await namesIn(join(projects, 'trash'))).toEqual([])
    expect(await namesIn(outside)).toEqual(['precious'])
  })

  test('an interrupted removal is completed', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await mkdir(join(projects, 'trash', 'p1'))
    await mkdir(join(projects, 'trash', 'p10'))
    await helper.removeProject(uid, 'p1')
    expect(await namesIn(join(projects, 'trash'))).toEqual(['p10'])
  })

  test('are refused below a folder writable by others', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await chmod(projects, 0o777)
    await expect(helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])).rejects.toMatchObject({
      kind: 'project-directories-unavailable',
      message: expect.stringContaining(`chmod go-w ${projects}`)
    })
    await chmod(projects, 0o755)
    await rename(join(projects, 'u'), join(projects, 'v'))
    await symlink('/etc', join(projects, 'u'))
    await expect(helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])).rejects.toMatchObject({
      kind: 'project-directories-unavailable'
    })
  })

  test.each([
    ['a uid of the system', [999, []]],
    ['a name with a slash', [uid, [{ id: 'p1', name: '../etc' }]]],
    ['a name with a dot', [uid, [{ id: 'p1', name: '.p2' }]]],
    ['an id with a slash', [uid, [{ id: '../u', name: 'shop' }]]],
    [
      'one name twice',
      [
        uid,
        [
          { id: 'p1', name: 'shop' },
          { id: 'p2', name: 'shop' }
        ]
      ]
    ],
    [
      'one project twice',
      [
        uid,
        [
          { id: 'p1', name: 'one' },
          { id: 'p1', name: 'two' }
        ]
      ]
    ],
    ['a member besides', [uid, [{ id: 'p1', name: 'one', mode: 0o777 }]]]
  ])('%s is refused', async (_, args) => {
    await expect(helper.syncProjects(...(args as [number, []]))).rejects.toThrow()
    expect(await readdir(directory)).toEqual(['ssh'])
  })
})

describe('swapping a project directory and a staged one', () => {
  const staged = (name: string) => join(projects, 'staging', name)
  beforeEach(async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await mark('p1')
    await mkdir(staged('next'))
    await writeFile(join(staged('next'), 'whose'), 'the import')
  })
  const replace = () => helper.replaceProject(uid, 'p1', staged('next'), staged('previous'))
  const expectReplaced = async () => {
    expect(await whose('shop')).toBe('the import')
    expect(await readFile(byId('p1', 'whose'), 'utf8')).toBe('the import')
    expect(await readFile(join(staged('previous'), 'whose'), 'utf8')).toBe('p1')
    expect(await lstat(join(home(), 'shop'))).toMatchObject({ uid, gid: uid })
    expect(await namesIn(home())).toEqual(['shop'])
  }

  test('works once; repeating changes nothing', async () => {
    await replace()
    await expectReplaced()
    await replace()
    await expectReplaced()
  })

  test.each([
    ['the first step', async () => rename(join(home(), 'shop'), join(home(), '.p1'))],
    ['the second', async () => rename(join(home(), 'shop'), staged('previous'))],
    [
      'the second, and the project had got a new directory since',
      async () => {
        await rename(join(home(), 'shop'), staged('previous'))
        await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
        await writeFile(byId('p1', 'late'), '')
      }
    ],
    [
      'the third',
      async () => {
        await rename(join(home(), 'shop'), staged('previous'))
        await rename(staged('next'), join(home(), '.p1'))
      }
    ]
  ])('is completed after an interruption at %s', async (_, cutOff) => {
    await cutOff()
    await replace()
    await expectReplaced()
  })

  test.each([
    ['outside', () => '/etc'],
    ['staging itself', () => staged('.')],
    ['above it', () => staged('../u')],
    ['another project', () => join(projects, 'u', String(uid), 'shop')]
  ])('a staged directory that is %s is refused', async (_, path) => {
    await expect(helper.replaceProject(uid, 'p1', path(), staged('previous'))).rejects.toThrow()
    await expect(helper.replaceProject(uid, 'p1', staged('next'), path())).rejects.toThrow()
    expect(await whose('shop')).toBe('p1')
  })
})

const renamer = (names: string[][]) => `
  import { createHostHelper } from ${JSON.stringify(join(dist, 'local-host-helper.js'))}
  import { run } from ${JSON.stringify(join(dist, '../process/run.js'))}
  const helper = createHostHelper({ run, ...${JSON.stringify({ ...options, run: undefined })} })
  process.stdout.write('ready')
  for (;;) for (const names of ${JSON.stringify(names)})
    await helper.syncProjects(${uid}, names.map((name, index) => ({ id: 'p' + index, name })))
`

test('kill -9 at any moment of a rename loses and mixes up nothing', async () => {
  const rounds = [
    ['one', 'two', 'three'],
    ['two', 'one', 'three'],
    ['three', 'four', 'one'],
    ['one', 'three', 'two']
  ]
  const ids = ['p0', 'p1', 'p2']
  await helper.syncProjects(
    uid,
    ids.map((id, index) => ({ id, name: rounds[0]![index]! }))
  )
  for (const id of ids) await mark(id)
  const leftovers = new Set<boolean>()
  for (let round = 0; round < 20; round++) {
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', renamer(rounds)], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await new Promise((resolve) => child.stdout!.once('data', resolve))
    await sleep(randomInt(25))
    kill(child.pid!, 'SIGKILL')
    await ended
    leftovers.add((await readdir(home())).some((name) => name.startsWith('.')))
    const names = rounds[randomInt(rounds.length)]!
    await helper.syncProjects(
      uid,
      ids.map((id, index) => ({ id, name: names[index]! }))
    )
    expect(await namesIn(home())).toEqual(names.toSorted())
    for (const [index, name] of names.entries()) expect(await whose(name)).toBe(ids[index])
  }
  // Otherwise the kills hit no critical moment.
  expect(leftovers).toContain(true)
})

const password = 'Abcd1234Abcd1234Abcd'
const passwdLine = async (name: string) =>
  (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith(`${name}:`))
const shadowFields = async (name: string) =>
  (await readFile('/etc/shadow', 'utf8'))
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))!
    .split(':')
const days = (fields: string[]) => ({ hash: fields[1]!, expires: fields[7] })

describe('system accounts', () => {
  test('are created locked, without shell, home or password; repeating changes nothing', async () => {
    await helper.createAccount(username, uid)
    await helper.createAccount(username, uid)
    expect(await passwdLine(username)).toBe(`${username}:x:${uid}:${uid}::/nonexistent:/usr/sbin/nologin`)
    expect(days(await shadowFields(username))).toEqual({ hash: '!', expires: '1' })
    expect(await helper.listAccounts()).toEqual([username])
    const { stdout } = await execute('id', ['-Gn', username])
    expect(stdout.trim().split(' ').toSorted()).toEqual([group, username].toSorted())
    expect(await readFile('/etc/subuid', 'utf8')).not.toContain(username)
  })

  test('are locked and unlocked, with root-owned key files', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH ann'
    await helper.createAccount(username, uid)
    await helper.setKeys(username, [key])
    const path = join(options.keysDirectory, username)
    expect(await readFile(path, 'utf8')).toBe(`restrict ${key}\n`)
    expect(await lstat(path)).toMatchObject({ uid: 0, mode: 0o100644 })
    await helper.setPassword(username, password)
    for (let i = 0; i < 2; i++) {
      await helper.unlockAccount(username)
      expect(days(await shadowFields(username))).toEqual({ hash: expect.stringMatching(/^\$/), expires: '' })
    }
    for (let i = 0; i < 2; i++) {
      await helper.lockAccount(username)
      expect(days(await shadowFields(username))).toEqual({ hash: expect.stringMatching(/^!\$/), expires: '1' })
    }
  })

  test('are removed without their files, even with running processes; repeating changes nothing', async () => {
    await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    await helper.createAccount(username, uid)
    await helper.setKeys(username, [])
    const container = spawn('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sleep', '600'])
    try {
      await helper.lockAccount(username)
      await helper.removeAccount(username)
      await helper.removeAccount(username)
      expect(container.exitCode).toBeNull()
      expect(container.signalCode).toBeNull()
    } finally {
      kill(container.pid!, 'SIGKILL')
    }
    expect(await passwdLine(username)).toBeUndefined()
    expect(await readFile('/etc/group', 'utf8')).not.toContain(unique)
    expect(await readdir(options.keysDirectory)).toEqual([])
    expect(await namesIn(home())).toEqual(['shop'])
    expect(await helper.listAccounts()).toEqual([])
  })

  test('of two panels with the same uid coexist', async () => {
    const other = createHostHelper({ ...options, group: `${group}b`, keysDirectory: join(directory, 'other', 'keys') })
    await helper.createAccount(username, uid)
    await other.createAccount(neighbour, uid)
    await helper.removeAccount(username)
    expect(await other.listAccounts()).toEqual([neighbour])
    expect(await passwdLine(neighbour)).toBeDefined()
    await other.removeAccount(neighbour)
    expect(await readFile('/etc/group', 'utf8')).not.toContain(unique)
  })

  test('do not take over foreign uids or names', async () => {
    await execute('useradd', ['--uid', String(uid), '--no-create-home', `e2e${unique}`])
    try {
      await expect(helper.createAccount(username, uid)).rejects.toMatchObject({
        kind: 'sftp-unavailable',
        message: expect.stringContaining(`e2e${unique}`)
      })
    } finally {
      await execute('userdel', [`e2e${unique}`])
    }
    await helper.createAccount(username, uid)
    await expect(helper.createAccount(username, uid + 1)).rejects.toMatchObject({ kind: 'sftp-unavailable' })
  })

  test('without the group get no password or keys until repaired', async () => {
    await helper.createAccount(username, uid)
    await execute('gpasswd', ['-d', username, group])
    for (const attempt of [
      () => helper.setPassword(username, password),
      () => helper.setKeys(username, []),
      () => helper.unlockAccount(username)
    ])
      await expect(attempt()).rejects.toMatchObject({ kind: 'sftp-unavailable' })
    await helper.createAccount(username, uid)
    expect(await helper.listAccounts()).toEqual([username])
  })

  test('wait for the lock on the account files', async () => {
    await Promise.all([
      helper.createAccount(username, uid),
      ...Array.from({ length: 4 }, async (_, n) => {
        await execute('groupadd', [`e2e${unique}${n}`])
        await execute('groupdel', [`e2e${unique}${n}`])
      })
    ])
    expect(await helper.listAccounts()).toEqual([username])
  })

  test('are refused if sshd would refuse the chroot, with folder and remedy', async () => {
    await chmod(directory, 0o777)
    try {
      await expect(helper.createAccount(username, uid)).rejects.toMatchObject({
        kind: 'sftp-unavailable',
        message: expect.stringContaining(`chmod go-w ${directory}`)
      })
      await helper.syncProjects(uid, [{ id: 'p1', name: 'shop' }])
    } finally {
      await chmod(directory, 0o755)
    }
  })

  test.each([
    ['root', ['root', uid]],
    ['an option', ['--root=/', uid]],
    ['a long name', [`vsftp_${'a'.repeat(27)}`, uid]],
    ['a short one', ['vsftp_aaaaaaa', uid]],
    ['a uid of the system', [username, 0]],
    ['a uid with a fraction', [username, uid + 0.5]]
  ])('%s is refused', async (_, args) => {
    await expect(helper.createAccount(...(args as [string, number]))).rejects.toThrow()
    expect(await helper.listAccounts()).toEqual([])
  })

  test.each([
    ['two lines in a password', () => helper.setPassword(username, `${password}\nroot:${password}`)],
    ['an empty password', () => helper.setPassword(username, '')],
    ['two lines in a key', () => helper.setKeys(username, ['ssh-ed25519 AAAA a\nssh-ed25519 BBBB'])],
    ['options in a key', () => helper.setKeys(username, ['command="id" ssh-ed25519 AAAA'])]
  ])('%s is refused', async (_, attempt) => {
    await helper.createAccount(username, uid)
    await expect(attempt()).rejects.toThrow()
    expect(days(await shadowFields(username)).hash).toBe('!')
  })
})

describe('the machine’s own SSH server', () => {
  const ssh = (...path: string[]) => join(directory, 'ssh', ...path)
  const dropIn = () => ssh('sshd_config.d', `50-${group}.conf`)
  const configure = async (lines: string[]) => {
    await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', ssh('host_key')])
    await writeFile(ssh('sshd_config'), [...lines, `HostKey ${ssh('host_key')}`, 'UsePAM yes', ''].join('\n'))
  }
  const include = () => `Include ${ssh('sshd_config.d')}/*.conf`

  test('adds its config block before the first password and removes it after the last account', async () => {
    await configure([include(), 'X11Forwarding yes', 'Subsystem sftp /usr/lib/openssh/sftp-server'])
    await helper.createAccount(username, uid)
    const { stdout } = await execute('/usr/sbin/sshd', ['-T', '-f', ssh('sshd_config'), '-C', `user=${username},host=x,addr=192.0.2.1`]) // oxfmt-ignore
    for (const line of [
      `chrootdirectory ${projects}/u/%U`,
      'forcecommand internal-sftp -u 0027',
      'disableforwarding yes',
      'permittty no',
      `authorizedkeysfile ${options.keysDirectory}/%u`
    ])
      expect(stdout.split('\n')).toContain(line)
    const root = await execute('/usr/sbin/sshd', ['-T', '-f', ssh('sshd_config'), '-C', 'user=root,host=x,addr=192.0.2.1']) // oxfmt-ignore
    expect(root.stdout).toMatch(/^forcecommand none$/m)
    expect(root.stdout).toMatch(/^x11forwarding yes$/m)
    await helper.removeAccount(username)
    expect(await readdir(ssh('sshd_config.d'))).toEqual([])
  })

  test.each([
    ['does not read the block', () => [], 'must start with: Include'],
    [
      'has another setting before',
      () => ['Match all', '  ForceCommand /bin/true', 'Match all', include()],
      'must start with'
    ],
    ['has a mistake in its file', () => [include(), 'Nonsense yes'], 'its configuration is invalid']
  ])('one that %s blocks account activation and is left unchanged', async (_, lines, problem) => {
    await configure(lines())
    await expect(helper.createAccount(username, uid)).rejects.toMatchObject({
      kind: 'sftp-unavailable',
      message: expect.stringContaining(problem)
    })
    expect(await readdir(ssh('sshd_config.d'))).toEqual([])
    expect(days(await shadowFields(username))).toEqual({ hash: '!', expires: '1' })
  })

  test('an invalid change of an existing block is rolled back', async () => {
    await configure([include()])
    await helper.createAccount(username, uid)
    const good = await readFile(dropIn(), 'utf8')
    await writeFile(
      ssh('sshd_config'),
      ['Match all', '  ForceCommand /bin/true', 'Match all', include(), ''].join('\n')
    )
    const other = createHostHelper({ ...options, keysDirectory: join(directory, 'other', 'keys') })
    await expect(other.createAccount(username, uid)).rejects.toMatchObject({ kind: 'sftp-unavailable' })
    expect(await readFile(dropIn(), 'utf8')).toBe(good)
  })
})

describe('with sudo', () => {
  const user = `e2e${unique}`
  const sudoers = `/etc/sudoers.d/panel-e2e-${unique}`
  let configPath: string
  beforeEach(async () => {
    await execute('useradd', ['--no-create-home', '--shell', '/bin/sh', user])
    configPath = join(directory, 'host-helper.json')
    const { projectsDirectory, keysDirectory, sshDirectory } = options
    await writeFile(configPath, JSON.stringify({ projectsDirectory, group, keysDirectory, sshDirectory }))
    await mkdir(projects)
    const template = await readFile(new URL('../../deploy/sudoers', import.meta.url), 'utf8')
    const line = template
      .replace(/^panel /m, `${user} `)
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/panel/packages/server/dist/infra/host-helper/', dist)
      .replace('/etc/panel/host-helper.json', configPath)
    await writeFile(sudoers, line, { mode: 0o440 })
    await execute('visudo', ['-c', '-f', sudoers])
  })
  afterEach(async () => {
    await rm(sudoers, { force: true })
    await execute('userdel', [user])
  })

  const asUser = (argv: readonly string[], input: string) =>
    run(['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...argv] as [string, ...string[]], {
      timeoutMs: 60_000,
      input
    })
  const ask = (request: unknown, ...more: string[]) =>
    asUser(['sudo', '-n', process.execPath, join(dist, 'main.js'), configPath, ...more], JSON.stringify(request))

  test('the panel can do everything it can as root', async () => {
    const script = `
      import { createHostHelper } from ${JSON.stringify(join(dist, 'local-host-helper.js'))}
      import { run } from ${JSON.stringify(join(dist, '../process/run.js'))}
      const helper = createHostHelper({ run, projectsDirectory: '/', group: '', keysDirectory: '', helperConfig: ${JSON.stringify(configPath)} })
      await helper.syncProjects(${uid}, [{ id: 'p1', name: 'shop' }])
      await helper.createAccount('${username}', ${uid})
      await helper.setPassword('${username}', '${password}')
      await helper.unlockAccount('${username}')
      const accounts = await helper.listAccounts()
      const refusal = await helper.removeProject(5, 'p1').catch((error) => error.kind)
      await helper.createAccount('${username}', ${uid} + 1).catch((error) => accounts.push(error.kind))
      process.stdout.write(JSON.stringify([accounts, process.getuid() === 0, refusal]))
    `
    const { stdout } = await asUser([process.execPath, '--input-type=module', '-'], script)
    expect(JSON.parse(stdout)).toEqual([[username, 'sftp-unavailable'], false, 'project-directories-unavailable'])
    expect(await lstat(join(home(), 'shop'))).toMatchObject({ uid })
    expect(days(await shadowFields(username)).hash).toMatch(/^\$/)
  })

  const requests: [string, unknown][] = [
    ['another verb', { verb: 'run', args: [['id']] }],
    ['a name of every object', { verb: 'constructor', args: [] }],
    ['no verb', {}],
    ['another folder', { verb: 'syncProjects', args: [uid, []], projectsDirectory: '/etc' }],
    ['too many arguments', { verb: 'listAccounts', args: ['root'] }],
    ['a uid of the system', { verb: 'syncProjects', args: [0, []] }],
    ['an id that leads out', { verb: 'removeProject', args: [uid, '../..'] }],
    ['the account of root', { verb: 'setPassword', args: ['root', password] }],
    ['a folder outside', { verb: 'replaceProject', args: [uid, 'p1', '/etc', '/tmp/x'] }],
    ['a text', 'syncProjects']
  ]

  test('requests beyond its verbs and their limits are refused', async () => {
    for (const [name, request] of requests) {
      const answer = await ask(request).then(
        ({ stdout }) => JSON.parse(stdout) as unknown,
        () => ({ kind: 'refused' })
      )
      expect([name, answer]).toEqual([name, expect.objectContaining({ kind: expect.any(String) })])
    }
    expect(await readdir(directory)).toEqual(expect.arrayContaining(['host-helper.json']))
  })

  test('no other program, file or argument is allowed', async () => {
    const own = join('/tmp', `e2e-${unique}.json`)
    await writeFile(own, await readFile(configPath))
    try {
      await expect(ask({ verb: 'listAccounts', args: [] }, '--inspect')).rejects.toMatchObject({ exitCode: 1 })
      for (const argv of [
        ['id'],
        [process.execPath],
        [process.execPath, '-e', 'process.exit(0)'],
        [process.execPath, join(dist, 'main.js')],
        [process.execPath, join(dist, 'main.js'), own],
        [process.execPath, '--import', own, join(dist, 'main.js'), configPath]
      ])
        await expect(asUser(['sudo', '-n', ...argv], '{}'), argv.join(' ')).rejects.toMatchObject({ exitCode: 1 })
      await expect(
        asUser(['env', 'NODE_OPTIONS=--require=/nowhere', 'sudo', '-n', process.execPath, join(dist, 'main.js'), configPath], '{"verb":"listAccounts","args":[]}') // oxfmt-ignore
      ).resolves.toMatchObject({ stdout: '{"result":[]}' })
    } finally {
      await rm(own)
    }
  })

  test('a user program with the name of a system program is not run', async () => {
    const own = await mkdtemp(join(tmpdir(), 'e2e-path-'))
    try {
      await chmod(own, 0o755)
      await writeFile(join(own, 'groupadd'), `#!/bin/sh\necho ran > ${own}/mark\n`, { mode: 0o755 })
      await writeFile(sudoers, `${await readFile(sudoers, 'utf8')}Defaults:${user} !secure_path\n`)
      const request = JSON.stringify({ verb: 'createAccount', args: [username, uid] })
      const sudo = ['sudo', '-n', process.execPath, join(dist, 'main.js'), configPath]
      await asUser(['env', `PATH=${own}:${process.env.PATH}`, ...sudo], request)
      expect(await readdir(own)).toEqual(['groupadd'])
      expect(await helper.listAccounts()).toEqual([username])
    } finally {
      await rm(own, { recursive: true })
    }
  })

  test.each([
    ['its file is somebody else’s', () => chown(configPath, uid, uid)],
    ['its file may be written by others', () => chmod(configPath, 0o666)],
    ['the folder of its file may be written by others', () => chmod(dirname(configPath), 0o777)],
    ['the projects lie below a folder that is somebody else’s', () => chown(projects, uid, uid)]
  ])('it refuses to work if %s', async (_, spoil) => {
    await spoil()
    try {
      const answer = await ask({ verb: 'syncProjects', args: [uid, [{ id: 'p1', name: 'shop' }]] }).then(
        ({ stdout }) => JSON.parse(stdout) as unknown,
        () => ({ kind: 'refused' })
      )
      expect(answer).toEqual(expect.objectContaining({ kind: expect.any(String) }))
      expect(await readdir(projects)).toEqual([])
    } finally {
      await chmod(directory, 0o755)
    }
  })
})
