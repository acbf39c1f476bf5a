import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface HaproxyPaths {
  config: string
  map: string
  rules: string
  tcpMap: string
  machines: string
  crtList: string
  crtListMark: string
  certificates: string
  defaultCertificate: string
  pages: string
  pid: string
  log: string
  adminSocket: string
  masterSocket: string
  /** Where the proxy sends its request log; inside the worker's chroot. */
  trafficSocket: string
  /** Relay in front of it, which buffers while nothing reads. */
  trafficRelay: string
  /** Where the panel's wake gate listens (infra/wake-gate); inside the worker's chroot. */
  wakeSocket: string
  /** Second frontend, for sites with several instances or asleep; inside the worker's chroot. */
  instancesSocket: string
  /** Where edges hand on requests for the panel's machine, as they came: plain or over TLS. Outside the chroot. */
  edgeSocket: string
  edgeTlsSocket: string
  emptyDirectory: string
}

const directoryMaxLength = 512
// sun_path holds 107 bytes plus NUL, and HAProxy binds `<path>.<pid>.tmp` before renaming it.
const runtimeDirectoryMaxLength = 107 - '/empty/relay.sock.4194304.tmp'.length

/** `certificateDirectory` should be on tmpfs: plaintext keys. Throws on an unsafe directory name. */
export function haproxyPaths(
  directory: string,
  runtimeDirectory: string,
  certificateDirectory = runtimeDirectory
): HaproxyPaths {
  for (const path of [directory, certificateDirectory])
    if (!isPlainPath(path) || path.length > directoryMaxLength)
      throw new Error(`The proxy's directory must be an absolute path of plain characters: ${path}`)
  if (!isPlainPath(runtimeDirectory) || runtimeDirectory.length > runtimeDirectoryMaxLength)
    throw new Error(
      `The proxy's runtime directory must be a short absolute path of plain characters: ${runtimeDirectory}`
    )
  return {
    config: join(directory, 'haproxy.cfg'),
    map: join(directory, 'routes.map'),
    rules: join(directory, 'rules.map'),
    tcpMap: join(directory, 'tcp.map'),
    machines: join(directory, 'machines.map'),
    crtList: join(certificateDirectory, 'crt-list.txt'),
    crtListMark: join(certificateDirectory, 'crt-list.mark'),
    certificates: join(certificateDirectory, 'certs'),
    defaultCertificate: join(directory, 'default.pem'),
    pages: join(directory, 'pages'),
    pid: join(directory, 'haproxy.pid'),
    log: join(directory, 'haproxy.log'),
    adminSocket: join(runtimeDirectory, 'admin.sock'),
    masterSocket: join(runtimeDirectory, 'master.sock'),
    trafficSocket: join(runtimeDirectory, 'empty', 'traffic.sock'),
    trafficRelay: join(runtimeDirectory, 'empty', 'relay.sock'),
    wakeSocket: join(runtimeDirectory, 'empty', 'wake.sock'),
    instancesSocket: join(runtimeDirectory, 'empty', 'pools.sock'),
    edgeSocket: join(runtimeDirectory, 'edge.sock'),
    edgeTlsSocket: join(runtimeDirectory, 'edge-tls.sock'),
    emptyDirectory: join(runtimeDirectory, 'empty')
  }
}
