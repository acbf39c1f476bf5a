import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import type { Mailbox } from '@panel/contract/mailboxes'
import type { SftpCredentials } from '@panel/contract/sftp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { panelState, projectDirectory, sftpPaths } from '../../packages/server/src/process/paths.ts'
import { madeTar } from '../../packages/server/test/fixtures/archive.fixture.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { ask } from '../databases/clients.harness.ts'
import { canLogIn, eventually, password, readInbox, send } from '../mail/servers.harness.ts'
import { dig, type DnsEnvironment, startDnsEnvironment } from '../support/dns-environment.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { chooseMailPorts, type MailPorts } from '../support/mail-panel.ts'
import { createHandMadeAuthority } from '../support/openssl.ts'
import { at, type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { makeKey, runClient } from '../support/sftp.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { nodeSite } from '../support/sites.ts'
import { treeOf } from '../support/tree.ts'
import { program, restorePanel, rowsOf } from './whole-panel.harness.ts'

type Backup = Schema<'Backup'>

let directory: string
let projects: string
let dns: DnsEnvironment
let git: GitHttpServer
let ports: MailPorts
let env: Record<string, string>
let panel: RunningPanel
let ann: Client
let site: Site
let domain: { id: string; hostname: string }
let sftp: SftpCredentials
let key: string
let snapshotTree: Record<string, string>
let mailTree: Record<string, string>
let rows: Record<string, unknown>
let dnssecKeys: string[]
let hostKey: string
const uris = new Map<DatabaseType, string[]>()
const closers: (() => Promise<unknown>)[] = []

const repository = () => join(directory, 'disk/panel')
const secondData = () => join(directory, 'second')
/** SFTP needs a directory of projects that belongs to root. */
const projectsOf = (dataDir: string) => join(projects, dataDir === secondData() ? 'second' : 'first')
const configOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PROJECTS_DIR: projectsOf(dataDir),
  SSH_KEYS_DIR: join(dataDir, 'workspaces/keys')
})
const secondEnv = () => ({ ...env, DATA_DIR: secondData(), PROJECTS_DIR: projectsOf(secondData()) })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-whole-'))
  await chmod(directory, 0o711)
  closers.push(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'disk'))
  projects = await makeRootDirectory()
  closers.push(() => rm(projects, { recursive: true, force: true }))
  dns = await startDnsEnvironment()
  git = await startGitHttpServer()
  closers.push(() => dns.close(), () => git.stop()) // oxfmt-ignore
  const mail = await chooseMailPorts()
  ports = mail.ports
  const own = async (name: string) => [name, String(await freePort())] as const
  env = {
    ...ownDatabases,
    ...dns.env,
    ...mail.env,
    ...Object.fromEntries([await own('DNS_PORT'), await own('POSTGRES_PORT'), await own('MYSQL_PORT'), await own('SFTP_PORT')]), // oxfmt-ignore
    GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
    PANEL_DOMAIN: 'panel.hosting.test',
    SFTP_HOST: '127.0.0.1'
  }
  panel = await startPanel({ ...env, PROJECTS_DIR: projectsOf('') })
  closers.push(() => panel.dispose())
  ann = await panel.signUp('ann')
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const listed = async (): Promise<Backup[]> =>
  (await unwrap(ann.api.GET('/api/backups', { params: { query: { limit: 100 } } }))).backups

async function backUpEverything(): Promise<Backup[]> {
  const before = (await listed()).map(({ id }) => id)
  const { queued } = await unwrap(ann.api.POST('/api/backups', { body: {} }))
  const done = await until(listed, (backups) =>
    backups.filter(({ id, endedAt }) => !before.includes(id) && endedAt !== null).length === queued
  ) // oxfmt-ignore
  return done.filter(({ id }) => !before.includes(id))
}

const restore = (killAt?: string) => restorePanel(repository(), key, secondEnv(), killAt)

/** The live release is then one of an uploaded folder, in a project with a repository. */
async function deployUpload(projectId: string, files: Files): Promise<void> {
  const archive = gzipSync(await madeTar(Object.entries(files).map(([name, content]) => ({ name, content: String(content) })))) // oxfmt-ignore
  const answer = await fetch(`${panel.url}/api/projects/${projectId}/uploads?folder=kept`, {
    method: 'POST',
    headers: { cookie: ann.cookie, 'content-type': 'application/gzip' },
    body: new Uint8Array(archive)
  })
  const { id } = (await answer.json()) as Schema<'Deployment'>
  expect(await ann.waitFor(projectId, id)).toMatchObject({ status: 'RUNNING', upload: { folder: 'kept' } })
}

test('a panel with a site, rows, mail, a signed zone, a certificate and SFTP is backed up', async () => {
  const plain = nodeSite('to keep')
  const files = { ...plain, 'server.js': String(plain['server.js']).replace(`'/built'`, `'/note'`).replace(`'built.json'`, `'/data/note.txt'`) } // oxfmt-ignore
  site = await ann.createSite(git, files)
  await ann.mustRun(site.id)
  await deployUpload(site.id, files)
  const home = projectDirectory(configOf(panel.dataDir), site.id)
  await writeFile(join(home, 'note.txt'), 'a note')
  await mkdir(join(home, 'private'), { mode: 0o700 })
  await symlink('/etc/shadow', join(home, 'private/out'))
  for (const type of databaseTypes)
    for (const projectId of [site.id, undefined]) {
      const name = `kept_${type.toLowerCase()}_${projectId === undefined ? 'alone' : 'linked'}`
      const { hostUri } = await unwrap(ann.api.POST('/api/databases', { body: { name, type, ...(projectId === undefined ? {} : { projectId }) } })) // oxfmt-ignore
      await ask(hostUri, 'create table goods (name varchar(60))')
      await ask(hostUri, `insert into goods values ('${name}; -- Dump completed')`)
      uris.set(type, [...(uris.get(type) ?? []), hostUri])
    }
  domain = await dns.addZone(ann, 'shop.test')
  await ann.call('PUT', `/domains/${domain.id}/dnssec`, { enabled: true })
  await ann.call<Mailbox>('POST', '/mailboxes', { domainId: domain.id, localPart: 'ann', password })
  const from = { port: ports.SUBMISSION, as: 'ann@shop.test', from: 'ann@shop.test' }
  await eventually(() => canLogIn(ports.IMAPS, 'ann@shop.test'))
  await send({ ...from, to: 'ann@shop.test', subject: 'to keep' })
  await eventually(async () => (await readInbox(ports.IMAPS, 'ann@shop.test')).length === 1)
  const authority = await createHandMadeAuthority()
  closers.push(() => authority.close())
  const { chain, keyPem } = await authority.issue({ names: ['shop.test'] })
  await ann.call('POST', `/domains/${domain.id}/ssl/upload`, { certificate: chain, privateKey: keyPem })
  await makeKey(join(directory, 'sftp-key'))
  sftp = await ann.call<SftpCredentials>('POST', '/sftp/provision')
  await ann.call('POST', '/sftp/add-ssh-key', { publicKey: await readFile(join(directory, 'sftp-key.pub'), 'utf8') })

  const target = await unwrap(ann.api.POST('/api/backups/targets', { body: { kind: 'FOLDER', name: 'Disk', path: repository() } })) // oxfmt-ignore
  key = target.key
  await unwrap(ann.api.POST('/api/backups/targets/{id}/confirm', { ...at(target.id), body: { key } }))
  const made = await backUpEverything()
  expect(made.map(({ subject, status, problem }) => [subject, status, problem]).sort()).toEqual([
    ['PANEL', 'GOOD', null],
    ['PROJECT', 'GOOD', null]
  ])
})

test('a backup that was killed is made again after the start', async () => {
  await unwrap(ann.api.POST('/api/backups', { body: { subject: 'PANEL' } }))
  await until(listed, (backups) => backups[0]!.status === 'RUNNING' || backups[0]!.status === 'GOOD')
  await panel.kill()
  await panel.start()
  const done = await until(listed, ([latest]) => latest!.endedAt !== null)
  expect(done[0]).toMatchObject({ subject: 'PANEL', status: 'GOOD', problem: null })
})

test('it is restored on a machine without a panel, also when killed in between', async () => {
  expect((await backUpEverything()).every(({ status }) => status === 'GOOD')).toBe(true)
  const state = panelState(configOf(panel.dataDir))
  rows = await rowsOf(panel)
  dnssecKeys = (await dig(panel, 'shop.test', 'DNSKEY')).values
  hostKey = await readFile(join(sftpPaths({ DATA_DIR: panel.dataDir }).serverDirectory, 'ssh_host_ed25519_key'), 'utf8')
  snapshotTree = await treeOf(projectDirectory(configOf(panel.dataDir), site.id))
  await panel.stop()
  mailTree = await treeOf(state.mail)
  // The machine is lost.
  await panel.dispose()

  const killed = await restore('Restoring store')
  expect(killed.code).toBe(null)
  const up = await runClient([program, 'up'], '', { ...secondEnv(), PANEL_NODE: process.execPath })
  expect(up).toMatchObject({ code: 1, output: expect.stringContaining('restore') })
  const done = await restore()
  expect(done.output).not.toContain('Not restored')
  expect(done.code).toBe(0)
  const again = await restore()
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('already has a panel') })

  const restored = configOf(secondData())
  expect(await treeOf(projectDirectory(restored, site.id))).toEqual(snapshotTree)
  const contents = (tree: Record<string, string>) => Object.fromEntries(Object.entries(tree).filter(([path]) => /\/(cur|new)\//.test(path))) // oxfmt-ignore
  expect(contents(await treeOf(panelState(restored).mail))).toEqual(contents(mailTree))
})

test('the restored panel serves what the lost one did', async () => {
  panel = await startPanel(secondEnv())
  closers.push(() => panel.dispose())
  expect(await rowsOf(panel)).toEqual(rows)
  for (const [type, all] of uris)
    for (const uri of all) expect([type, await ask(uri, 'select count(*) from goods')]).toEqual([type, '1'])
  expect(await until(() => dig(panel, 'shop.test', 'DNSKEY').then(({ values }) => values), ({ length }) => length > 0)).toEqual(dnssecKeys) // oxfmt-ignore
  await eventually(() => canLogIn(ports.IMAPS, 'ann@shop.test'))
  expect((await readInbox(ports.IMAPS, 'ann@shop.test')).map((text) => text.includes('Subject: to keep'))).toEqual([true]) // oxfmt-ignore
  expect(await readFile(join(sftpPaths({ DATA_DIR: panel.dataDir }).serverDirectory, 'ssh_host_ed25519_key'), 'utf8')).toBe(hostKey) // oxfmt-ignore
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes', 'BatchMode=yes'].map((option) => `-o${option}`) // oxfmt-ignore
  const listSite = () =>
    runClient(['sftp', '-F', 'none', ...options, '-i', join(directory, 'sftp-key'), '-P', String(panel.sftpPort), '-b', '-', `${sftp.username}@127.0.0.1`], `ls ${site.name}\n`) // oxfmt-ignore
  expect((await until(listSite, ({ code }) => code === 0)).output).toContain('note.txt')
  await until(
    () => panel.visit(site.hostname, '/note'),
    ({ body }) => body === 'a note'
  )
  // `ann` is a client of the lost panel. Her session is part of the backup.
  const latest = async () => {
    const answer = await fetch(`${panel.url}/api/projects/${site.id}/deployments`, { headers: { cookie: ann.cookie } })
    return ((await answer.json()) as Schema<'DeploymentList'>).deployments[0]!
  }
  const rebuilt = await until(latest, ({ status }) => status === 'RUNNING')
  expect(rebuilt).toMatchObject({ trigger: 'UPLOAD', upload: { folder: 'kept' } })
})
