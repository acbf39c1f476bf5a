import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { lazy } from '../concurrency/lazy.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { findNode, listUnreachedTunnels } from '../db/nodes.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import type { ContainerEngine } from '../infra/container-engine/container-engine.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { remoteHost } from '../infra/container-engine/engine-host.ts'
import { createRemoteFileStore } from '../infra/file-store/remote-file-store.ts'
import { createBootRules } from '../infra/host-firewall/boot-rules.ts'
import { createRemoteFirewall } from '../infra/host-firewall/remote-firewall.ts'
import { createRemoteHostHelper } from '../infra/host-helper/remote-host-helper.ts'
import { createRemoteHostsFiles } from '../infra/hosts-files/remote-hosts-files.ts'
import { connectionDirectory } from '../infra/node-connection/connection-directory.ts'
import { createMachinePackages } from '../infra/machine-packages/machine-packages.ts'
import { createWireguard } from '../infra/machine-tunnel/wireguard.ts'
import { localConnection } from '../infra/node-connection/local.ts'
import { readMachineFacts } from '../infra/node-connection/machine-facts.ts'
import type { NodeConnection } from '../infra/node-connection/node-connection.ts'
import type { NodeAdapters, Nodes } from '../infra/node-connection/nodes.ts'
import { ensurePanelKey } from '../infra/node-connection/panel-key.ts'
import { createSshConnection } from '../infra/node-connection/ssh.ts'
import type { SshTarget } from '../infra/node-connection/ssh-arguments.policy.ts'
import type { Run } from '../infra/process/process.ts'
import { createEdge } from '../infra/reverse-proxy/edge.ts'
import { firewallTable, tunnelInterface } from '../net/network-names.ts'
import { type PanelNetwork, routedNetwork } from '../net/panel-network.ts'
import { unlimitedSources } from '../net/unlimited-sources.ts'
import { panelRoot } from '../process/panel-root.ts'
import { proxyLoginKey } from '../security/proxy-proof.ts'
import {
  connectionRoot,
  drillFiles,
  edgeDirectories,
  fileStoreStaging,
  hostsDirectory,
  machineKeyDirectory,
  projectDirectories,
  sftpPaths,
  startFile,
  tunnelKeyPath
} from '../process/paths.ts'

interface NodeOptions extends Omit<NodeAdapters, 'edge' | 'packages' | 'ping' | 'readFacts' | 'tunnel'> {
  config: Config
  db: Database
  instanceId: string
  nodeId: string
  run: Run
  logger: Logger
  network: () => Promise<PanelNetwork>
  /** Of the panel's proxy. */
  proxy: Parameters<typeof createEdge>[0]['own']
}

interface Way {
  target: SshTarget
  /** Of the machine in the encrypted network, if it is in it. */
  tunnelAddress: string | undefined
}

interface OpenNode {
  /** The settings that it was opened with. */
  settings: string
  connection: NodeConnection
  adapters: NodeAdapters
}

// Of Debian's package.
const engineSocket = '/run/docker.sock'

/** The panel's own machine has the adapters of this process; others are reached over one SSH connection each. */
export function openNodes({
  config,
  db,
  instanceId,
  nodeId,
  run,
  logger,
  network,
  proxy,
  ...adapters
}: NodeOptions): Nodes & { close(): Promise<void> } {
  const local: NodeAdapters = {
    ...adapters,
    tunnel: createWireguard({ run, logger, ...tunnelEnd(config, instanceId) }),
    edge: null,
    packages: null,
    ping: localConnection.ping,
    readFacts: () => readMachineFacts(localConnection, config.PROJECTS_DIR)
  }
  const key = lazy(() => ensurePanelKey(run, machineKeyDirectory(config)))
  const open = new Map<string, OpenNode>()

  async function connect(id: string, { target, tunnelAddress }: Way): Promise<OpenNode> {
    const { keyPath } = await key()
    const directory = await connectionDirectory(await connectionRoot(config), id)
    const connection = createSshConnection({ target, keyPath, directory })
    return {
      settings: JSON.stringify({ target, tunnelAddress }),
      connection,
      adapters: remoteAdapters({
        config,
        db,
        id,
        instanceId,
        connection,
        tunnelAddress,
        network,
        proxy,
        logger: logger.child({ nodeId: id })
      })
    }
  }
  async function forget(id: string): Promise<void> {
    const found = open.get(id)
    open.delete(id)
    await found?.connection.close()
  }
  return {
    ownId: nodeId,
    async forNode(id) {
      if (id === nodeId) return local
      const row = await findNode(db, id)
      if (!row?.ssh) throw new AdapterError('node-unavailable', 'This machine does not belong to the panel')
      const way = { target: row.ssh, tunnelAddress: row.tunnel?.machine }
      const known = open.get(id)
      if (known?.settings === JSON.stringify(way)) return known.adapters
      await forget(id)
      const opened = await connect(id, way)
      const other = open.get(id) // Opened meanwhile.
      if (other?.settings === opened.settings) return other.adapters
      open.set(id, opened)
      return opened.adapters
    },
    forget,
    async retire(id, target) {
      const node = open.get(id) ?? (await connect(id, { target, tunnelAddress: undefined }))
      open.set(id, node)
      try {
        await node.adapters.tunnel.remove()
        await node.adapters.hostFirewall.remove()
      } finally {
        await forget(id)
      }
    },
    publicKey: async () => (await key()).publicKey,
    async close() {
      await Promise.all([...open.keys()].map(forget))
    }
  }
}

interface RemoteOptions
  extends
    Pick<NodeOptions, 'config' | 'db' | 'instanceId' | 'logger' | 'network' | 'proxy'>,
    Pick<Way, 'tunnelAddress'> {
  id: string
  connection: NodeConnection
}

function remoteAdapters(options: RemoteOptions): NodeAdapters {
  const { config, db, id, instanceId, connection, tunnelAddress, logger, network, proxy } = options
  const { group, keysDirectory } = sftpPaths(config)
  const table = firewallTable(instanceId)
  return {
    engine: withoutBuilds(
      createDockerEngine({
        socketPath: () => connection.socket(engineSocket),
        host: remoteHost(connection, tunnelAddress),
        // Work that would wait for an engine that hangs can go to another machine.
        isPatient: false,
        bindRoots: bindRoots(config)
      })
    ),
    fileStore: createRemoteFileStore({
      connection,
      stagingDirectory: fileStoreStaging(config),
      onProblem: (problem) => logger.error({ problem }, 'The program for files of a machine reported an error')
    }),
    hostFirewall: createRemoteFirewall({
      table,
      connection,
      boot: createBootRules({ run: connection.run, table, path: startFile(config, `${table}.nft`), logger })
    }),
    hostHelper: createRemoteHostHelper({
      connection,
      context: { projectsDirectory: config.PROJECTS_DIR, group, keysDirectory },
      configPath: join(dirname(keysDirectory), 'host-helper.json')
    }),
    hostsFiles: createRemoteHostsFiles({ connection, directory: hostsDirectory(config) }),
    tunnel: createWireguard({ run: connection.run, logger, ...tunnelEnd(config, instanceId) }),
    edge: createEdge({
      connection,
      ...edgeDirectories(config),
      own: proxy,
      outOfReach: () => listUnreachedTunnels(db, { from: id }),
      config: async () => ({
        httpPort: config.PROXY_HTTP_PORT,
        httpsPort: config.PROXY_HTTPS_PORT,
        unlimitedSources: unlimitedSources(config),
        loginKey: proxyLoginKey(config),
        network: routedNetwork(await network())
      })
    }),
    packages: createMachinePackages({ connection, root: panelRoot }),
    ping: connection.ping,
    readFacts: () => readMachineFacts(connection, '/var/lib/docker')
  }
}

function tunnelEnd(config: Config, instanceId: string) {
  const interfaceName = tunnelInterface(instanceId)
  const keyPath = tunnelKeyPath(config, interfaceName)
  return { interfaceName, keyPath, startPath: startFile(config, `${interfaceName}.sh`) }
}

/** Directories whose children containers may mount, on every machine. */
export const bindRoots = (config: Config): string[] => [
  projectDirectories(config),
  drillFiles(config),
  hostsDirectory(config)
]

/** Builds read cgroups and mounts of the kernel that the panel runs on. */
const withoutBuilds = (engine: ContainerEngine): ContainerEngine => ({
  ...engine,
  buildImage: () => Promise.reject(new AdapterError('node-unavailable', 'Images are built on the machine of the panel'))
})
