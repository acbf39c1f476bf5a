import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { RunningPanel } from './panel.ts'

interface Page {
  status: number
  body: string
  headers: IncomingHttpHeaders
}

export interface Browser {
  visit(path: string): Promise<Page>
  logIn(user: string, password: string): Promise<boolean>
  subjects(): Promise<string>
  send(message: { to: string; subject: string; text: string }): Promise<void>
  addContact(name: string, address: string): Promise<void>
  contacts(): Promise<string>
}

export function openWebmail({ proxyHttpsPort }: Pick<RunningPanel, 'proxyHttpsPort'>, from = '127.0.0.1'): Browser {
  const cookies = new Map<string, string>()
  let token = ''
  const visit = (path: string, form?: Record<string, string>): Promise<Page> =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: proxyHttpsPort,
          // The proxy's default certificate, because the name has none.
          servername: 'webmail.panel.test',
          rejectUnauthorized: false,
          localAddress: from,
          // The proxy may close a keep-alive connection just as a request is sent.
          agent: false,
          path,
          method: form ? 'POST' : 'GET',
          headers: {
            host: 'webmail.panel.test',
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(path.includes('_remote=1') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
            ...(token === '' ? {} : { 'x-roundcube-request': token }),
            ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
          }
        },
        async (answer) => {
          for (const line of answer.headers['set-cookie'] ?? []) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
            if (value === '-del-') cookies.delete(name!)
            else cookies.set(name!, value!)
          }
          let body = ''
          for await (const part of answer.setEncoding('utf8')) body += part
          token = /"request_token":"([^"]+)"/.exec(body)?.[1] ?? token
          resolve({ status: answer.statusCode!, body, headers: answer.headers })
        }
      )
      call.on('error', reject)
      call.end(form && new URLSearchParams(form).toString())
    })
  const need = (pattern: RegExp, { status, body }: Page): string => {
    const found = pattern.exec(body)?.[1]
    if (found === undefined) throw new Error(`${pattern} is not in a page of ${status}: ${body.slice(0, 2_000)}`)
    return found
  }
  return {
    visit: (path) => visit(path),
    async logIn(user, password) {
      cookies.clear()
      token = ''
      await visit('/')
      const { status, headers } = await visit('/?_task=login', {
        _token: token,
        _task: 'login',
        _action: 'login',
        _timezone: 'Europe/Berlin',
        _url: '',
        _user: user,
        _pass: password
      })
      if (status !== 302) return false
      await visit(`/${new URL(headers.location!, 'https://webmail.panel.test/').search}`)
      return true
    },
    subjects: async () => (await visit('/?_task=mail&_action=list&_mbox=INBOX&_remote=1')).body,
    async send({ to, subject, text }) {
      const { headers } = await visit('/?_task=mail&_action=compose')
      const id = new URL(headers.location!, 'https://webmail.panel.test/').searchParams.get('_id')!
      const page = await visit(`/?_task=mail&_action=compose&_id=${id}`)
      const sent = await visit('/?_task=mail&_action=send', {
        _token: token,
        _task: 'mail',
        _action: 'send',
        _id: id,
        _from: need(/<select name="_from"[^>]*>\s*<option value="(\d+)"/, page),
        _to: to,
        _subject: subject,
        _message: text,
        _is_html: '0',
        _store_target: 'Sent'
      })
      need(/(sent_successfully|"?confirmation"?)/, sent)
    },
    async addContact(name, address) {
      need(
        /(confirmation)/,
        await visit('/?_task=mail&_action=addcontact&_remote=1', { _address: `${name} <${address}>` })
      )
    },
    contacts: async () => (await visit('/?_task=addressbook&_action=list&_source=0&_remote=1')).body
  }
}
