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
// Accepted by all receivers; records of 4096-bit keys are too long for some (RFC 8301 §3.2).
const keyLength = 2048
const makeKeyPair = promisify(generateKeyPair)

/** Controls OpenDKIM (programs/opendkim.ts) through its two tables, which it reloads on SIGUSR1. */
export function createOpendkim(options: MailDirectories & { run: Run }): MailSigner {
  const { run } = options
  const { dkim } = mailPaths(options)
  // The tables contain all domains. Per process: only one worker runs at a time, and the audit repairs conflicts.
  const oneAtATime = createSemaphore(1)
  const directoryOf = (domain: string) => {
    assertMailDomain(domain)
    return join(dkim.keys, domain)
  }
  /** Rejects if the signer is down: the change is not in effect then. */
  const takeOver = async () => {
    try {
      const [pid] = (await findProcesses('opendkim', dkim.config)).keys()
      if (pid === undefined || !signal(pid, 'SIGUSR1')) throw new Error('not running')
      await probeOpendkim({ dkim }, answerTimeoutMs)
    } catch (cause) {
      throw new AdapterError('mail-server-unavailable', 'The DKIM signer (OpenDKIM) is not responding', {
        cause,
        reason: messageOf(cause)
      })
    }
  }
  const edit = async (domain: string, keyLines: readonly string[], signingLines: readonly string[]) => {
    const [keys = '', signing = ''] = await Promise.all([readIfExists(dkim.keyTable), readIfExists(dkim.signingTable)])
    // The tables are read one after the other: add keys before references to them, remove them after.
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
          throw new TypeError(`${domain} has no key with the signing selector`)
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

const fileLimit = createSemaphore(16)

/** Exists only while the loaded tables sign for the domain; without it, From is checked earlier. */
const markerOf = (directory: string): string => join(directory, signingMarker)

function pathOf(directory: string, selector: string): string {
  assertSelector(selector)
  return join(directory, `${selector}.private`)
}

/** Readable by OpenDKIM only. Rejects keys that are not RSA: OpenDKIM would then reject all mail of the domain. */
async function writeKey(path: string, pem: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('Not an RSA key')
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
