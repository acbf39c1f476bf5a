import { messageOf } from '../../text/message-of.ts'
import { renderCrtLines, type CrtEntry, fileOf, versionOf } from './crt-list.render.ts'
import type { CertificateFiles } from './haproxy-certificate-files.ts'
import { type PreparedCertificate, prepareCertificate } from './prepared-certificate.ts'
import { CertificateRefusedError, type CertificateVersion, type LoadCertificate } from './reverse-proxy.ts'

export interface CertificateSource {
  list(): Promise<readonly CertificateVersion[]>
  load: LoadCertificate
}

export interface LoadedBatch {
  prepared: PreparedCertificate[]
  goneIds: string[]
  failures: { id: string; error: unknown }[]
}

// Limits how many certificates with their keys are in memory.
const batchSize = 100

export async function* loadInBatches(ids: readonly string[], load: LoadCertificate): AsyncGenerator<LoadedBatch> {
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch: LoadedBatch = { prepared: [], goneIds: [], failures: [] }
    await Promise.all(
      ids.slice(start, start + batchSize).map(async (id) => {
        try {
          const certificate = await load(id)
          if (!certificate) batch.goneIds.push(id)
          else if (certificate.id === id) batch.prepared.push(prepareCertificate(certificate))
          else throw new CertificateRefusedError(`Requested certificate ${id} but received a different one`)
        } catch (error) {
          batch.failures.push({ id, error })
        }
      })
    )
    yield batch
  }
}

/** One error for all failures; undefined if there are none. */
export function refusalOf(failures: LoadedBatch['failures']): CertificateRefusedError | undefined {
  if (failures.length === 0) return undefined
  const ids = failures.map(({ id }) => JSON.stringify(id).slice(0, 70))
  const names = [...ids.slice(0, 10), ...(ids.length > 10 ? [`${ids.length - 10} more`] : [])].join(', ')
  const reason = messageOf(failures[0]!.error).slice(0, 300)
  return new CertificateRefusedError(`The reverse proxy could not load the certificates ${names}: ${reason}`, {
    cause: new AggregateError(failures.map(({ error }) => error))
  })
}

/**
 * Pushing 10,000 certificates into a running proxy takes a minute, so write files before it starts. A certificate that
 * cannot be loaded keeps its previous file, and all do if the list is unavailable.
 */
export async function writeCertificates(
  files: CertificateFiles,
  source: CertificateSource,
  onProblem: (error: unknown) => void
): Promise<void> {
  try {
    const refusal = refusalOf(await writeMissing(files, source))
    if (refusal) onProblem(refusal)
  } catch (error) {
    onProblem(error)
  }
}

async function writeMissing(files: CertificateFiles, source: CertificateSource): Promise<LoadedBatch['failures']> {
  const wanted = new Map((await source.list()).map(({ id, fingerprint }) => [id, versionOf(fingerprint)]))
  const names = await files.names()
  const entries = new Map<string, CrtEntry>()
  for (const entry of await files.readList())
    if (wanted.has(entry.id) && names.has(fileOf(entry))) entries.set(entry.id, entry)
  const missing = [...wanted].filter(([id, version]) => entries.get(id)?.version !== version).map(([id]) => id)
  const failures: LoadedBatch['failures'] = []
  for await (const batch of loadInBatches(missing, source.load)) {
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
