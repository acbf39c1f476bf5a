import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { boundLog } from '../process/bounded-log.ts'
import type { Run } from '../process/process.ts'
import { certificateFiles, keepPresent } from './haproxy-certificate-files.ts'
import { renderPages } from './haproxy-pages.render.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { certificateProblem } from './prepared-certificate.ts'

const opensslTimeoutMs = 30_000

/** HAProxy does not start if one of these files is missing. Existing routes and certificates are kept. */
export async function prepareFiles(
  directory: string,
  runtimeDirectory: string,
  paths: HaproxyPaths,
  run: Run
): Promise<void> {
  const { certificates, pages, emptyDirectory } = paths
  const directories = [directory, runtimeDirectory, dirname(certificates), certificates, pages, emptyDirectory]
  for (const path of directories) await makePrivateDirectory(path)
  // The unprivileged worker must reach the traffic socket in it; the parent directory keeps others out.
  await chmod(emptyDirectory, 0o711)
  for (const [name, content] of renderPages()) await writeIfChanged(join(pages, name), content)
  for (const map of [paths.map, paths.rules, paths.tcpMap, paths.machines])
    if ((await readIfExists(map)) === undefined) await writeFileAtomically(map, '')
  await ensureDefaultCertificate(paths.defaultCertificate, run)
  await keepPresent(certificateFiles(paths))
  await boundLog(paths.log)
}

async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

async function writeIfChanged(path: string, content: string): Promise<void> {
  if ((await readIfExists(path)) !== content) await writeFileAtomically(path, content)
}

/** Self-signed fallback for names without a certificate: a TLS listener requires one. */
async function ensureDefaultCertificate(path: string, run: Run): Promise<void> {
  const present = await readIfExists(path)
  if (present !== undefined && certificateProblem(present) === undefined) return
  const { stdout } = await run(defaultCertificateCommand, { timeoutMs: opensslTimeoutMs })
  const problem = certificateProblem(stdout)
  if (problem !== undefined) throw new Error(`openssl wrote no usable certificate: ${problem}`)
  await writeFileAtomically(path, stdout)
}

// openssl writes both to stdout, so that the key is in one file only.
const defaultCertificateCommand = [
  'openssl',
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
  '-days',
  '3650',
  '-subj',
  '/CN=invalid.panel',
  '-keyout',
  '-',
  '-out',
  '-'
] as const
