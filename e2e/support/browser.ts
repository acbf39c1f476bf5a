export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: Buffer
}

export interface Page {
  status: number
  headers: Headers
  text: string
}

export interface Browser {
  open(path: string): Promise<Page>
  /** Submits a form, with files if given, and follows redirects. */
  submit(path: string, fields: Record<string, string | File>): Promise<Page>
}

/** Cookies and redirects: enough of a browser for pages without scripts. */
export function createBrowser(
  ask: (requested: Request) => Promise<Page>,
  firstCookies: Record<string, string> = {}
): Browser {
  const cookies = createCookies(firstCookies)
  const go = async (requested: Request): Promise<Page> => {
    const page = await ask({ ...requested, headers: { ...requested.headers, cookie: cookies.header() } })
    cookies.keep(page.headers.getSetCookie())
    const location = page.headers.get('location')
    if (location === null) return page
    const { pathname, search } = new URL(location, new URL(requested.path, 'http://any'))
    return go({ method: 'GET', path: pathname + search, headers: {} })
  }
  return {
    open: (path) => go({ method: 'GET', path, headers: {} }),
    async submit(path, fields) {
      const hasFiles = Object.values(fields).some((value) => value instanceof File)
      const form = hasFiles ? new FormData() : new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) (form as FormData).append(name, value)
      const { headers, body } = await encoded(form)
      return go({ method: 'POST', path, headers, body })
    }
  }
}

export function createCookies(first: Record<string, string> = {}) {
  const cookies = new Map(Object.entries(first))
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(setCookies: readonly string[]) {
      for (const line of setCookies) {
        const [name, value] = line.split(';')[0]!.split(/=(.*)/s)
        cookies.set(name!, value!)
      }
    }
  }
}

export async function encoded(
  form: FormData | URLSearchParams
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const response = new Response(form)
  const body = Buffer.from(await response.arrayBuffer())
  const headers = { 'content-type': response.headers.get('content-type')!, 'content-length': String(body.length) }
  return { headers, body }
}
