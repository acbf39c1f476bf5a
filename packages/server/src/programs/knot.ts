import { AdapterError } from '../infra/adapter-error.ts'
import { writeFileAtomically } from '../infra/disk/atomic-file.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { renderCatalog } from '../infra/dns-server/catalog-zone.render.ts'
import { respondsToQueries } from '../infra/dns-server/dns-question.ts'
import { type KnotConfigOptions, knotFingerprint, renderKnotConfig } from '../infra/dns-server/knot-config.render.ts'
import { collect, createKnotControl } from '../infra/dns-server/knot-control.ts'
import { createKnot } from '../infra/dns-server/knot.ts'
import { findServerUser, prepareDirectories, readableByServer } from '../infra/dns-server/knot-directories.ts'
import { knotPaths } from '../infra/dns-server/knot-paths.ts'
import { removeCandidates } from '../infra/dns-server/knot-zone-file.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { listenAddresses } from '../infra/process/listen-addresses.ts'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { run } from '../infra/process/run.ts'
import { dnsServerPaths } from '../process/paths.ts'
import { dnsTransferKey } from '../security/program-secrets.ts'
import { findInstalled, withVersion } from './finding.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'

export interface KnotProgramOptions extends Omit<KnotConfigOptions, 'user'> {
  run: Run
  /** Until a started server responds. Default 30 s: it responds before its zones are loaded. */
  startTimeoutMs?: number
}

const checkTimeoutMs = 30_000
const answerTimeoutMs = 5_000
const probeTimeoutMs = 1_000

/** Knot DNS. Restarted on a configuration change, because a reload does not apply new listen addresses. */
export async function knotProgram(options: KnotProgramOptions): Promise<ManagedProgram> {
  const { run, listen, startTimeoutMs = 30_000 } = options
  const paths = knotPaths(options)
  const owner = await findServerUser(run)
  const config = { ...options, ...(owner === undefined ? {} : { user: 'knot:knot' as const }) }
  const control = createKnotControl({ socket: paths.socket, run, timeoutMs: answerTimeoutMs })
  return {
    name: 'the name server',
    log: paths.log,
    stopSignal: 'SIGTERM',
    limits: { startMs: startTimeoutMs, stopMs: 10_000 },
    async prepare() {
      await prepareDirectories(paths, owner, run)
      await removeCandidates(paths)
      // Without a catalog file Knot fails to load the catalog; an empty one has no zones.
      if ((await readIfExists(paths.catalog)) === undefined)
        await writeFileAtomically(paths.catalog, renderCatalog([]), readableByServer)
    },
    render: () => [{ path: paths.config, content: renderKnotConfig(config), mode: readableByServer }],
    async check(candidate) {
      const output = collect()
      try {
        await run(['knotc', '-c', candidate, 'conf-check'], { timeoutMs: checkTimeoutMs, stdout: output.stream })
      } catch (error) {
        if (!(error instanceof ProcessError)) throw error
        throw new ProcessError(error.message, error.reason, error.exitCode, `${output.text()}${error.stderr}`)
      }
    },
    command: () => ({ argv: ['knotd', '-c', paths.config], pidFile: paths.pid }),
    async find() {
      const all = [...(await findProcesses('knotd', paths.config)).keys()]
      return { main: all[0], all }
    },
    async probe() {
      const [first] = listen
      if (first !== undefined && !(await respondsToQueries(first, probeTimeoutMs))) throw new Error('no response')
      return 'serving'
    },
    fingerprint: {
      wanted: knotFingerprint(config),
      async running() {
        const answer = await control('conf-read', 'policy[panel].comment').catch((error: unknown) => {
          if (error instanceof AdapterError) return '' // Not running: no fingerprint.
          throw error
        })
        return /= "?([\w-]+)"?$/m.exec(answer)?.[1]
      }
    }
  }
}

/** Optional: sites with external DNS do not need it, and another program may use the port. */
export const nameServer: Program = {
  name: 'nameServer',
  title: 'the name server',
  packages: ['knot', 'knot-dnssecutils'],
  needs: [],
  isRequired: false,
  isOurs: () => true,
  follows: ['DNS_SECONDARIES'],
  ports: (config) => [{ port: config.DNS_PORT, containers: 'nowhere' }],
  portHint: 'if a local resolver such as systemd-resolved uses the port, set DNS_LISTEN to the public address',
  async open({ config, deps }) {
    const addresses = config.DNS_LISTEN.length > 0 ? config.DNS_LISTEN : listenAddresses()
    return knotProgram({
      ...(await dnsServerPaths(config)),
      listen: addresses.map((address) => ({ address, port: config.DNS_PORT })),
      transferKey: await dnsTransferKey(deps),
      secondaries: config.DNS_SECONDARIES,
      run
    })
  },
  ping: ({ dnsServer }) => dnsServer.ping(),
  remedy: { code: 'RUN_UP_OR_ASK' },
  async inspect(config) {
    const install = 'Run apt-get install knot knot-dnssecutils, or ./panel up'
    const checker = await findInstalled('Name server', ['kzonecheck', '--version'], install)
    if (!checker.found) return checker
    const paths = await dnsServerPaths(config)
    return withVersion(
      await findInstalled('Name server', ['knotd', '--version'], install),
      () => createKnot({ ...paths, run, commandTimeoutMs: 5_000 }).ping(),
      `Run ./panel up to start it. If that fails, see ${paths.directory}/knot.log (is port ${config.DNS_PORT} in use?)`
    )
  }
}
