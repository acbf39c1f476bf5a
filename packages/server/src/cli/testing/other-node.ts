import { join } from 'node:path'
import type { Run } from '../../infra/process/process.ts'
import { step } from '../command.ts'
import type { TestPart } from './part.ts'

export interface OtherNode {
  /** Its program. */
  path: string
  major: number
}

const [oldest, latest] = [20, 24]

/** The oldest or the latest tested Node.js, whichever differs more from this one. */
export const otherNodeOf = (major: number): { name: 'oldest' | 'newest'; major: number } =>
  major < latest ? { name: 'newest', major: latest } : { name: 'oldest', major: oldest }

const programOf = (root: string, name: 'oldest' | 'newest') =>
  join(root, 'scripts/other-node/node_modules', `${name}-${process.platform}-${process.arch}`, 'bin/node')

/** Node.js 24, once installOtherNode has put it there. */
export const newestNode = (root: string): string => programOf(root, 'newest')

/** Installs it below scripts/other-node, which lists versions and checksums; later runs reuse it. */
export async function installOtherNode(root: string, run: Run): Promise<OtherNode> {
  const cwd = join(root, 'scripts/other-node')
  const { name, major } = otherNodeOf(Number.parseInt(process.versions.node, 10))
  const path = programOf(root, name)
  const version = () => run([path, '--version'], { timeoutMs: 10_000 })
  await version().catch(async () => {
    step(`Downloading Node.js ${major} for some of the tests`)
    const options = { cwd, timeoutMs: 300_000, env: { HOME: process.env.HOME ?? '/' } } // oxlint-disable-line node/no-process-env -- npm's own settings
    await run(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'], options)
    await version()
  })
  return { path, major }
}

/** Tests that depend on Node.js APIs: processes, streams, sockets, TLS, DNS, threads, native code. */
const unitFiles = ['src/infra/process', 'src/infra/git', 'src/infra/x509', 'src/infra/secret-box', 'src/infra/mailer', 'src/infra/archive', 'src/infra/base-images', 'src/infra/container-engine', 'src/http', 'src/db', 'src/cli', 'src/features/domains', 'src/features/env-vars', 'src/features/two-factor', 'src/record-types', 'src/concurrency/thread-pool'] // oxfmt-ignore
const apiFiles = ['test/auth', 'test/http', 'test/files-transfer', 'test/domains']

export const unitAndApiOn = (node: OtherNode): TestPart => ({
  name: `Node.js ${node.major}: unit, api`,
  args: ['--project', 'unit', '--project', 'api', ...unitFiles, ...apiFiles],
  node: node.path
})

/** From `up` to a site that answers. */
export const endToEndOn = (node: OtherNode): TestPart => ({
  name: `Node.js ${node.major}: e2e`,
  args: ['--project', 'e2e', 'e2e/deployments/journey'],
  node: node.path
})
