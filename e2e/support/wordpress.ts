import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createCookies, encoded } from './browser.ts'

interface Page {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
}

/** A browser session of one site behind the proxy: keeps cookies, follows no redirects. */
export interface Browser {
  get(path: string, headers?: Record<string, string>): Promise<Page>
  post(path: string, body: Record<string, string> | Buffer, headers?: Record<string, string>): Promise<Page>
}

export function openBrowser(site: { host?: string; port: number; hostname: string }): Browser {
  const cookies = createCookies()
  const ask = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    new Promise<Page>((resolve, reject) => {
      const cookie = cookies.header()
      const requested = request({
        host: site.host ?? '127.0.0.1',
        port: site.port,
        method,
        path,
        agent: false,
        timeout: 60_000,
        headers: { host: site.hostname, ...(cookie === '' ? {} : { cookie }), ...headers }
      })
      requested.once('timeout', () => requested.destroy(new Error(`no answer to ${method} ${path}`)))
      requested.once('error', reject)
      requested.once('response', (response) => {
        cookies.keep(response.headers['set-cookie'] ?? [])
        buffer(response)
          .then((bytes) =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: bytes,
              text: bytes.toString('utf8')
            })
          )
          .catch(reject)
      })
      requested.end(body)
    })
  return {
    get: (path, headers = {}) => ask('GET', path, headers),
    post(path, body, headers = {}) {
      if (Buffer.isBuffer(body)) return ask('POST', path, headers, body)
      const form = Buffer.from(new URLSearchParams(body).toString())
      return ask('POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, form)
    }
  }
}

const administrator = { name: 'owner', password: 'correct horse battery staple' }

/** Runs the WordPress installer and logs in. */
export async function installWordpress(browser: Browser, title: string): Promise<void> {
  const { name, password } = administrator
  const done = await browser.post('/wp-admin/install.php?step=2', {
    weblog_title: title,
    user_name: name,
    admin_password: password,
    admin_password2: password,
    admin_email: 'owner@example.com',
    Submit: 'Install WordPress',
    language: ''
  })
  if (done.status !== 200 || !/Success!/.test(done.text)) throw new Error(`not installed: ${done.status} ${done.text}`)
  await logIn(browser)
}

export async function logIn(browser: Browser): Promise<void> {
  await browser.get('/wp-login.php')
  const { name, password } = administrator
  const answer = await browser.post('/wp-login.php', { log: name, pwd: password, testcookie: '1' })
  if (answer.status !== 302) throw new Error(`not logged in: ${answer.status} ${answer.text}`)
}

export async function uploadMedia(browser: Browser, name: string, type: string, bytes: Buffer): Promise<string> {
  const nonce = await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const { headers, body } = await encoded(form)
  const answer = await browser.post('/index.php?rest_route=/wp/v2/media', body, {
    'x-wp-nonce': nonce.text,
    ...headers
  })
  if (answer.status !== 201) throw new Error(`not uploaded: ${answer.status} ${answer.text}`)
  return new URL((JSON.parse(answer.text) as { source_url: string }).source_url).pathname
}
