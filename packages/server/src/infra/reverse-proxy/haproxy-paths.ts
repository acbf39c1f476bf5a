import { join } from 'node:path'

export interface HaproxyPaths {
  config: string
  map: string
  crtList: string
  certificates: string
  defaultCertificate: string
  pages: string
  pid: string
  log: string
  adminSocket: string
  masterSocket: string
}

// The configuration and the commands know no quoting that would be safe for every byte, so a path is made of these only.
const pathPattern = /^(?:\/[A-Za-z0-9._-]+)+$/
const directoryMaxLength = 512
// sun_path holds 107 bytes and a NUL, and HAProxy binds `<path>.<pid>.tmp` before it renames.
const runtimeDirectoryMaxLength = 107 - '/master.sock.4194304.tmp'.length

/** Where each file of the proxy lies. Throws on a directory that cannot be written into its configuration. */
export function haproxyPaths(directory: string, runtimeDirectory: string): HaproxyPaths {
  if (!pathPattern.test(directory) || directory.length > directoryMaxLength)
    throw new Error(`The proxy's directory must be an absolute path of plain characters: ${directory}`)
  if (!pathPattern.test(runtimeDirectory) || runtimeDirectory.length > runtimeDirectoryMaxLength)
    throw new Error(
      `The proxy's runtime directory must be a short absolute path of plain characters: ${runtimeDirectory}`
    )
  return {
    config: join(directory, 'haproxy.cfg'),
    map: join(directory, 'routes.map'),
    crtList: join(directory, 'crt-list.txt'),
    certificates: join(directory, 'certs'),
    defaultCertificate: join(directory, 'certs', 'default.pem'),
    pages: join(directory, 'pages'),
    pid: join(directory, 'haproxy.pid'),
    log: join(directory, 'haproxy.log'),
    adminSocket: join(runtimeDirectory, 'admin.sock'),
    masterSocket: join(runtimeDirectory, 'master.sock')
  }
}
