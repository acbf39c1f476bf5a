import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { docker } from './engine.ts'

export const login = { user: 'robot', password: 'pass-word-of-mirror' }

/** Published to npm and PyPI: `require('from-the-mirror')` and `import from_the_mirror`; WORD is this text. */
export const mirrorWord = 'from the mirror'

export interface PackageMirror {
  port: number
  served: { direct: string[]; asProxy: string[] }
  stop(): Promise<void>
}

/**
 * An npm registry and a Python index that require a login, and a proxy with the same login that maps every host to this
 * one. `tools` are further npm packages.
 */
export async function startPackageMirror(
  pythonImage: string,
  tools: readonly `${string}@${string}`[] = []
): Promise<PackageMirror> {
  const tarball = await npmTarball()
  const packages = new Map<string, NpmPackage>([['/from-the-mirror', { manifest: ownManifest, bytes: tarball }]])
  for (const tool of tools) {
    const found = await packTool(tool)
    packages.set(`/${String(found.manifest.name)}`, found)
  }
  const wheel = await pythonWheel(pythonImage)
  const served: PackageMirror['served'] = { direct: [], asProxy: [] }
  const basic = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

  const answerOf = (base: string, path: string): string | Buffer | undefined => {
    // npm requests scoped packages with the slash as %2f.
    const name = decodeURIComponent(path)
    const requested = packages.get(name) ?? packages.get(name.replace(/\.tgz$/, ''))
    if (requested)
      return name.endsWith('.tgz') ? requested.bytes : JSON.stringify(npmDocument(`${base}${name}.tgz`, requested))
    if (path === '/simple/from-the-mirror/') return `<a href="/${wheelName}">${wheelName}</a>`
    return path === `/${wheelName}` ? wheel : undefined
  }
  const server = createServer((request: IncomingMessage, response) => {
    const isProxied = request.url!.startsWith('http://')
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const given = request.headers[isProxied ? 'proxy-authorization' : 'authorization']
    if (given !== basic) {
      const header = isProxied ? 'proxy-authenticate' : 'www-authenticate'
      return response.writeHead(isProxied ? 407 : 401, { [header]: 'Basic realm="mirror"' }).end()
    }
    served[isProxied ? 'asProxy' : 'direct'].push(url.pathname)
    const answer = answerOf(url.origin, url.pathname)
    return response.writeHead(answer === undefined ? 404 : 200, { 'content-type': typeof answer === 'string' && answer.startsWith('<') ? 'text/html' : 'application/json' }).end(answer) // oxfmt-ignore
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    served,
    async stop() {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface NpmPackage {
  manifest: { name: string; version: string }
  bytes: Buffer
}

const ownManifest = { name: 'from-the-mirror', version: '1.0.0' }

const npmDocument = (tarball: string, { manifest, bytes }: NpmPackage) => ({
  name: manifest.name,
  'dist-tags': { latest: manifest.version },
  versions: {
    [manifest.version]: {
      ...manifest,
      dist: { tarball, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` }
    }
  }
})

async function packTool(tool: string): Promise<NpmPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-mirror-'))
  try {
    const options = { timeoutMs: 120_000, cwd: directory, env: { HOME: homedir() } }
    const { stdout } = await run(['npm', 'pack', '--silent', '--pack-destination', directory, tool], options)
    const file = join(directory, stdout.trim())
    const manifest = await run(['tar', '-xzOf', file, 'package/package.json'], options)
    return { manifest: JSON.parse(manifest.stdout) as NpmPackage['manifest'], bytes: await readFile(file) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function npmTarball(): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'package/package.json' }, JSON.stringify(ownManifest))
  tar.entry({ name: 'package/index.js' }, `exports.WORD = ${JSON.stringify(mirrorWord)}\n`)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

const wheelName = 'from_the_mirror-1.0.0-py3-none-any.whl'

async function pythonWheel(image: string): Promise<Buffer> {
  const program = `import base64, io, zipfile
data = io.BytesIO()
with zipfile.ZipFile(data, 'w') as wheel:
    wheel.writestr('from_the_mirror.py', ${JSON.stringify(`WORD = ${JSON.stringify(mirrorWord)}\n`)})
    info = 'from_the_mirror-1.0.0.dist-info/'
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: from-the-mirror\\nVersion: 1.0.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
print(base64.b64encode(data.getvalue()).decode())`
  return Buffer.from(await docker('run', '--rm', '--network', 'none', image, 'python3', '-c', program), 'base64')
}
