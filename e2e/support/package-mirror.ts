import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { docker } from './engine.ts'

export const login = { user: 'robot', password: 'pass-word-of-mirror' }

/** The one package that it has, of npm and of Python: `require('from-the-mirror')` and `import from_the_mirror`, whose WORD is this. */
export const mirrorWord = 'from the mirror'

export interface PackageMirror {
  port: number
  /** Requests that came with the login, the way they came. */
  served: { direct: string[]; asProxy: string[] }
  stop(): Promise<void>
}

/** A registry of npm and an index of Python that want a login; and a proxy, wanting it too, through which every host is this one. */
export async function startPackageMirror(pythonImage: string): Promise<PackageMirror> {
  const tarball = await npmTarball()
  const wheel = await pythonWheel(pythonImage)
  const served: PackageMirror['served'] = { direct: [], asProxy: [] }
  const basic = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

  const answerOf = (base: string, path: string): string | Buffer | undefined => {
    if (path === '/from-the-mirror') return JSON.stringify(npmDocument(`${base}/from-the-mirror-1.0.0.tgz`, tarball))
    if (path === '/from-the-mirror-1.0.0.tgz') return tarball
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
    return response.writeHead(answer === undefined ? 404 : 200, { 'content-type': typeof answer === 'string' && answer.startsWith('<') ? 'text/html' : 'application/json' }).end(answer) // prettier-ignore
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

const npmDocument = (tarball: string, bytes: Buffer) => ({
  name: 'from-the-mirror',
  'dist-tags': { latest: '1.0.0' },
  versions: {
    '1.0.0': {
      name: 'from-the-mirror',
      version: '1.0.0',
      dist: { tarball, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` }
    }
  }
})

async function npmTarball(): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'package/package.json' }, JSON.stringify({ name: 'from-the-mirror', version: '1.0.0' }))
  tar.entry({ name: 'package/index.js' }, `exports.WORD = ${JSON.stringify(mirrorWord)}\n`)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

const wheelName = 'from_the_mirror-1.0.0-py3-none-any.whl'

/** A wheel is a zip file, which Python writes. */
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
