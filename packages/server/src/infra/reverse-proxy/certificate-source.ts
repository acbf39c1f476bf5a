import { messageOf } from '../../text/message-of.ts'
import { renderCrtLines, type CrtEntry, fileOf, versionOf } from './crt-list.render.ts'
import type { CertificateFiles } from './haproxy-certificate-files.ts'
import { type PreparedCertificate, prepareCertificate } from './prepared-certificate.ts'
import { CertificateRefusedError, type CertificateVersion, type LoadCertificate } from './reverse-proxy.ts'

/** What the proxy is to serve. */
export interface CertificateSource {
  list(): Promise<readonly CertificateVersion[]>
  load: LoadCertificate
}

/** What came of a batch of loads. */
export interface LoadedBatch {
  prepared: PreparedCertificate[]
  /** That there are no more. */
  goneIds: string[]
  failures: { id: string; error: unknown }[]
}

// So many certificates with their keys are in memory at a time.
const batchSize = 100

/** Loads and checks the certificates in batches; one that fails does not keep the others back. */
export async function* loadInBatches(ids: readonly string[], load: LoadCertificate): AsyncGenerator<LoadedBatch> {
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch: LoadedBatch = { prepared: [], goneIds: [], failures: [] }
    await Promise.all(
      ids.slice(start, start + batchSize).map(async (id) => {
        try {
          const certificate = await load(id)
          if (!certificate) batch.goneIds.push(id)
          else if (certificate.id === id) batch.prepared.push(prepareCertificate(certificate))
          else throw new CertificateRefusedError(`Asked for the certificate ${id} and got another one`)
        } catch (error) {
          batch.failures.push({ id, error })
        }
      })
    )
    yield batch
  }
}

/** One error for all that failed; undefined when none did. */
export function refusalOf(failures: LoadedBatch['failures']): CertificateRefusedError | undefined {
  if (failures.length === 0) return undefined
  const ids = failures.map(({ id }) => JSON.stringify(id).slice(0, 70))
  const names = [...ids.slice(0, 10), ...(ids.length > 10 ? [`${ids.length - 10} more`] : [])].join(', ')
  const reason = messageOf(failures[0]!.error).slice(0, 300)
  return new CertificateRefusedError(`The reverse proxy cannot serve the certificates ${names}: ${reason}`, {
    cause: new AggregateError(failures.map(({ error }) => error))
  })
}

/**
 * Writes the files of all certificates for a proxy that does not run, so that it serves them from its first moment: to push 10,000
 * into a running one takes a minute. What has its file is not loaded again. One that cannot be loaded keeps the file of its
 * previous content, and all keep theirs when the list is not to be had, so that no store that is away keeps the proxy from starting:
 * `onProblem` is told.
 */
export async function writeCertificates(
  files: CertificateFiles,
  source: CertificateSource,
  onProblem: (error: unknown) => void
): Promise<void> {
  try {
    const refusal = refusalOf(await writeWanted(files, source))
    if (refusal) onProblem(refusal)
  } catch (error) {
    onProblem(error)
  }
}

async function writeWanted(files: CertificateFiles, source: CertificateSource): Promise<LoadedBatch['failures']> {
  const wanted = new Map((await source.list()).map(({ id, fingerprint }) => [id, versionOf(fingerprint)]))
  const names = await files.names()
  const entries = new Map<string, CrtEntry>()
  for (const entry of await files.readList())
    if (wanted.has(entry.id) && names.has(fileOf(entry))) entries.set(entry.id, entry)
  const lacking = [...wanted].filter(([id, version]) => entries.get(id)?.version !== version).map(([id]) => id)
  const failures: LoadedBatch['failures'] = []
  for await (const batch of loadInBatches(lacking, source.load)) {
    for (const { pem, ...entry } of batch.prepared) {
      await files.write(fileOf(entry), pem)
      entries.set(entry.id, entry)
    }
    for (const id of batch.goneIds) entries.delete(id)
    failures.push(...batch.failures)
  }
  const lines = renderCrtLines([...entries.values()])
  await files.writeList(lines)
  await files.removeAllBut(lines)
  return failures
}
