import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../text/message-of.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { findProcesses } from '../process/find-processes.ts'
import type { Run } from '../process/process.ts'
import { signal } from '../process/signal.ts'
import { readPemBlocks } from '../x509/pem.ts'
import { ensureSelfSigned } from './default-certificate.ts'
import { renderDovecotCertificates } from './dovecot-config.render.ts'
import { findDovecotLanguage } from './dovecot-language.ts'
import { makeOwned } from './mail-directories.ts'
import type { MailCertificate, MailCertificateContent, MailCertificates } from './mail-certificates.ts'
import { type MailDirectories, mailPaths } from './mail-paths.ts'
import { hostnameValue } from './mail-values.ts'
import { makeToolsConfig } from './postfix-maps.ts'

const timeoutMs = 60_000

/** Files of certificates for Dovecot, and a table for Postfix, which looks into it at each handshake. */
export function createMailCertificates(
  options: MailDirectories & { run: Run; hostname: () => string }
): MailCertificates {
  const { run, hostname, certificateDirectory } = options
  const paths = mailPaths(options)
  const { postfix, dovecot } = paths
  // In this process alone: there is one worker at a time.
  const oneAtATime = createSemaphore(1)
  const pathOf = ({ id, fingerprint }: MailCertificate) => {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(id) || !/^[0-9a-f]{64}$/.test(fingerprint))
      throw new TypeError(`Not a certificate: ${id}`)
    return join(certificateDirectory, `${id}-${fingerprint.slice(0, 32)}.pem`)
  }
  /** Those that have their file now; with what kept others from it. */
  const writeFiles = async (wanted: readonly MailCertificate[], load: Parameters<MailCertificates['sync']>[1]) => {
    const there = new Set(await readdir(certificateDirectory))
    const problems: string[] = []
    const served: (MailCertificate & { path: string })[] = []
    for (const certificate of wanted) {
      try {
        const path = pathOf(certificate)
        certificate.hostnames.forEach(hostnameValue)
        if (!there.has(path.slice(certificateDirectory.length + 1))) {
          const content = await load(certificate.id)
          if (!content) continue
          await writeFileAtomically(path, renderPem(certificate, content))
        }
        served.push({ ...certificate, path })
      } catch (error) {
        problems.push(`${certificate.id}: ${messageOf(error)}`)
      }
    }
    return { served, problems }
  }
  // There while files may be newer than what the servers have read of them.
  const unfinished = join(certificateDirectory, 'unfinished')
  const putIfOther = async (path: string, content: string): Promise<boolean> => {
    if ((await readIfExists(path)) === content) return exists(unfinished)
    await writeFileAtomically(unfinished, '')
    await writeFileAtomically(path, content)
    return true
  }
  const reloadDovecot = async () => {
    const isRunning = (await findProcesses('dovecot', dovecot.config)).size > 0
    if (isRunning) await run(['doveadm', '-c', dovecot.config, 'reload'], { timeoutMs })
  }
  const reloadPostfix = async () => {
    const [master] = (await findProcesses('master', postfix.directory)).keys()
    if (master !== undefined) signal(master, 'SIGHUP')
  }
  return {
    sync: (wanted, load) =>
      oneAtATime(async () => {
        await makeOwned(paths.directory, { uid: 0, gid: 0 }, 0o711)
        await makeOwned(certificateDirectory, { uid: 0, gid: 0 }, 0o700)
        const { served, problems } = await writeFiles(wanted, load)
        const names = served.flatMap(({ hostnames, path }) => hostnames.map((name) => ({ hostname: name, path })))
        names.sort((a, b) => (a.hostname < b.hostname ? -1 : 1))
        const table = names.map((each) => `${each.hostname}\t${each.path}\n`).join('')
        const isTableNew = await putIfOther(postfix.certificates, table)
        if (isTableNew) {
          await makeToolsConfig(postfix.tools)
          await run(['postmap', '-c', postfix.tools, '-F', `lmdb:${postfix.certificates}`], { timeoutMs })
        }
        const fallback = served.find(({ isDefault }) => isDefault)
        const defaultPem =
          (fallback && (await readIfExists(fallback.path))) ?? (await ensureSelfSigned(paths, hostname(), new Date()))
        const isDefaultNew = await putIfOther(paths.defaultCertificate, defaultPem)
        const list = renderDovecotCertificates(names, await findDovecotLanguage(run))
        const isListNew = await putIfOther(dovecot.certificates, list)
        if (isListNew || isDefaultNew) await reloadDovecot()
        // Also where Dovecot alone has changed: those who asked it for passwords ask the new one.
        if (isListNew || isDefaultNew) await reloadPostfix()
        await rm(unfinished, { force: true })
        const used = new Set(served.map(({ path }) => path))
        for (const name of await readdir(certificateDirectory)) {
          const path = join(certificateDirectory, name)
          if (/-[0-9a-f]{32}\.pem$/.test(name) && !used.has(path)) await rm(path, { force: true })
        }
        if (problems.length > 0)
          throw new Error(`Certificates that mail cannot be served with: ${problems.join('; ').slice(0, 1_000)}`)
        return isTableNew || isListNew || isDefaultNew
      })
  }
}

/** Serialized again after parsing: the key, then the chain. */
function renderPem({ fingerprint }: MailCertificate, { chain, keyPem }: MailCertificateContent): string {
  const certificates = (readPemBlocks(chain) ?? []).map(({ pem }) => new X509Certificate(pem))
  const [leaf] = certificates
  const key = createPrivateKey(keyPem)
  if (!leaf || leaf.fingerprint256.replaceAll(':', '').toLowerCase() !== fingerprint)
    throw new Error('it is another one')
  if (!leaf.checkPrivateKey(key)) throw new Error('the key belongs to another one')
  return `${key.export({ type: 'pkcs8', format: 'pem' }).toString()}${certificates.map((one) => `${one.toString().trim()}\n`).join('')}`
}
