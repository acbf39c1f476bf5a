import { execFile, type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Schema } from '@panel/client'
import S3rver from 's3rver'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { until } from './poll.ts'

type NewTarget = Schema<'CreateBackupTarget'>

export interface BackupServers {
  /** A target of each kind, on real servers on loopback. */
  targets: Readonly<Record<NewTarget['kind'], NewTarget>>
  stopRest(): Promise<void>
  stop(): Promise<void>
}

const password = 'rest password'

/** OpenSSH, `rclone serve restic`, and an S3 server over TLS (over plain HTTP restic signs in pieces, which s3rver stores). */
export async function startBackupServers(): Promise<BackupServers> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-backups-'))
  const at = (name: string) => join(directory, name)
  const [sshPort, restPort, s3Port] = [await freePort(), await freePort(), await freePort()]
  for (const name of ['sftp', 'rest', 's3', 'disk']) await mkdir(at(name))
  await mkdir('/run/sshd', { recursive: true })
  for (const name of ['host', 'client'])
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  const user = userInfo().username
  const lines = [
    `ListenAddress 127.0.0.1:${sshPort}`,
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('client.pub')}`,
    `PidFile ${at('pid')}`,
    `AllowUsers ${user}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'UsePAM no',
    'StrictModes no',
    'Subsystem sftp internal-sftp'
  ]
  await writeFile(at('sshd_config'), `${lines.join('\n')}\n`)
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', at('sshd_config')], { stdio: 'ignore' })
  const rest = spawn('rclone', ['serve', 'restic', '--addr', `127.0.0.1:${restPort}`, '--user', 'panel', at('rest')], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: directory, RCLONE_PASS: password }
  })
  await run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', at('tls.key'), '-out', at('tls.pem')], { timeoutMs: 60_000 }) // oxfmt-ignore
  const s3 = new S3rver({
    port: s3Port,
    address: '127.0.0.1',
    silent: true,
    directory: at('s3'),
    key: await readFile(at('tls.key')),
    cert: await readFile(at('tls.pem')),
    configureBuckets: [{ name: 'backups' }]
  })
  await s3.run()
  for (const port of [sshPort, restPort])
    await until(
      () => canConnect(port),
      (is) => is
    )
  const [type, key] = (await readFile(at('host.pub'), 'utf8')).split(' ')
  return {
    targets: {
      FOLDER: { kind: 'FOLDER', name: 'Disk', path: at('disk/panel') },
      SFTP: {
        kind: 'SFTP',
        name: 'Storage box',
        host: '127.0.0.1',
        port: sshPort,
        username: user,
        path: at('sftp/panel'),
        privateKey: await readFile(at('client'), 'utf8'),
        hostKey: `${type} ${key}`
      },
      S3: {
        kind: 'S3',
        name: 'Object storage',
        endpoint: `https://localhost:${s3Port}`,
        bucket: 'backups',
        prefix: 'panel',
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        caCertificate: await readFile(at('tls.pem'), 'utf8')
      },
      REST: {
        kind: 'REST',
        name: 'REST server',
        url: `http://127.0.0.1:${restPort}/panel`,
        username: 'panel',
        password
      }
    },
    stopRest: () => end(rest),
    async stop() {
      await Promise.all([end(sshd), end(rest), s3.close()])
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
