import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../text/message-of.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { AdapterError } from '../adapter-error.ts'
import { syncDirectory, writeFileAtomically } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { assertMailDomain } from '../mail-server/mail-names.ts'
import { type MailDirectories, mailPaths } from '../mail-server/mail-paths.ts'
import { probeOpendkim } from '../mail-server/mail-probes.ts'
import { findMailUser } from '../mail-server/mail-users.ts'
import { findProcesses } from '../process/find-processes.ts'
import type { Run } from '../process/process.ts'
import { signal } from '../process/signal.ts'
import type { MailSigner } from './mail-signer.ts'
import { signingMarker } from './sender-rules.render.ts'
import {
  assertSelector,
  readKeyTable,
  readSigningTable,
  renderKeyLines,
  renderSigningLine,
  replaceLines
} from './signing-tables.render.ts'

const answerTimeoutMs = 5_000
// What every receiver takes; a record of 4096 bits is more than some have room for (RFC 8301 §3.2).
const keyLength = 2048
const makeKeyPair = promisify(generateKeyPair)

/** The OpenDKIM that the panel runs (programs/opendkim.ts), by its two tables, which it reads when it is told. */
export function createOpendkim(options: MailDirectories & { run: Run }): MailSigner {
  const { run } = options
  const { dkim } = mailPaths(options)
  // Both tables are of all domains. In this process alone: there is one worker at a time, and the audit of keys mends what two have done.
  const oneAtATime = createSemaphore(1)
  const directoryOf = (domain: string) => {
    assertMailDomain(domain)
    return join(dkim.keys, domain)
  }
  /** Rejects where there is no signer: mail would go on as before. */
  const takeOver = async () => {
    try {
      const [pid] = (await findProcesses('opendkim', dkim.config)).keys()
      if (pid === undefined || !signal(pid, 'SIGUSR1')) throw new Error('it does not run')
      await probeOpendkim({ dkim }, answerTimeoutMs)
    } catch (cause) {
      throw new AdapterError('mail-server-unavailable', 'The signer of mail does not answer', {
        cause,
        reason: messageOf(cause)
      })
    }
  }
  const edit = async (domain: string, keyLines: readonly string[], signingLines: readonly string[]) => {
    const [keys = '', signing = ''] = await Promise.all([readIfExists(dkim.keyTable), readIfExists(dkim.signingTable)])
    // Keys before what names them, and the other way round when they go: the tables are read one after the other.
    const writeKeys = () => writeFileAtomically(dkim.keyTable, replaceLines(keys, domain, keyLines), 0o644)
    const writeSigning = () =>
      writeFileAtomically(dkim.signingTable, replaceLines(signing, domain, signingLines), 0o644)
    for (const write of keyLines.length > 0 ? [writeKeys, writeSigning] : [writeSigning, writeKeys]) await write()
  }
  return {
    ping: () => probeOpendkim({ dkim }),
    async makeKey() {
      const { publicKey, privateKey } = await makeKeyPair('rsa', {
        modulusLength: keyLength,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
      })
      return { publicKey: publicKey.toString('base64'), privateKey, keyLength }
    },
    putKeys: ({ domain, keys, signsWith }) =>
      oneAtATime(async () => {
        const directory = directoryOf(domain)
        if (!keys.some(({ selector }) => selector === signsWith))
          throw new TypeError(`No key of ${domain} has the selector that signs`)
        const owner = await findMailUser('opendkim', run)
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await chown(directory, owner.uid, owner.gid)
        for (const { selector, privateKey } of keys) await writeKey(pathOf(directory, selector), privateKey, owner)
        const files = keys.map(({ selector }) => ({ selector, path: pathOf(directory, selector) }))
        await edit(domain, renderKeyLines(domain, files), [renderSigningLine(domain, signsWith)])
        await takeOver()
        const marker = markerOf(directory)
        await writeFileAtomically(marker, '', 0o644)
        const wanted = new Set([marker, ...files.map(({ path }) => path)])
        for (const name of await readdir(directory))
          if (!wanted.has(join(directory, name))) await rm(join(directory, name), { force: true })
      }),
    removeKeys: (domain) =>
      oneAtATime(async () => {
        const directory = directoryOf(domain)
        await rm(markerOf(directory), { force: true })
        await edit(domain, [], [])
        await takeOver()
        await rm(directory, { recursive: true, force: true })
      }),
    async listSigning() {
      const [keys, signing] = await Promise.all([readIfExists(dkim.keyTable), readIfExists(dkim.signingTable)])
      const paths = readKeyTable(keys ?? '')
      const found = [...readSigningTable(signing ?? '')]
      const there = await Promise.all(
        found.map(async ([domain, selector]) => {
          const path = paths.get(`${domain}:${selector}`)
          return path !== undefined && fileLimit(() => exists(path))
        })
      )
      return new Map(found.filter((_, index) => there[index]))
    }
  }
}

// The audit looks at one of each domain.
const fileLimit = createSemaphore(16)

/** There while the tables that are read sign the domain, never before and never longer: where it is missing a From is looked at before they are. */
const markerOf = (directory: string): string => join(directory, signingMarker)

function pathOf(directory: string, selector: string): string {
  assertSelector(selector)
  return join(directory, `${selector}.private`)
}

/** For the signer's user alone. Rejects what is no key of RSA, which it would refuse with the domain's mail. */
async function writeKey(path: string, pem: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('Not a key of RSA')
  const content = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  if ((await readIfExists(path)) === content) return
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.chown(uid, gid)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncDirectory(join(path, '..'))
}
