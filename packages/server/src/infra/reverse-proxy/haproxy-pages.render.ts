interface Page {
  title: string
  text: string
  refreshSeconds?: number
}

const pages = {
  notFound: { title: '404 Not Found', text: 'There is no site at this address.' },
  stopped: { title: '503 Service Unavailable', text: 'This site is stopped.' },
  starting: {
    title: '503 Service Unavailable',
    text: 'This site is starting. This page reloads automatically.',
    refreshSeconds: 3
  },
  maintenance: { title: '503 Service Unavailable', text: 'This site is under maintenance. Please try again later.' },
  badGateway: { title: '502 Bad Gateway', text: 'The site sent an invalid response.' },
  unavailable: {
    title: '503 Service Unavailable',
    text: 'The site is not responding. Please try again in a moment.'
  },
  timeout: { title: '504 Gateway Timeout', text: 'The site took too long to respond.' }
} as const satisfies Record<string, Page>

/** `.html` is a body, `.http` a raw response for `errorfile`. No external resources, no names of panel or proxy. */
export function renderPages(): ReadonlyMap<string, string> {
  return new Map([
    ['404.html', renderHtml(pages.notFound)],
    ['stopped.html', renderHtml(pages.stopped)],
    ['starting.html', renderHtml(pages.starting)],
    ['maintenance.html', renderHtml(pages.maintenance)],
    ['502.http', renderRawAnswer(pages.badGateway)],
    ['503.http', renderRawAnswer(pages.unavailable, ['Retry-After: 5'])],
    ['504.http', renderRawAnswer(pages.timeout)]
  ])
}

function renderRawAnswer(page: Page, headers: readonly string[] = []): string {
  const body = renderHtml(page)
  const lines = [
    `HTTP/1.1 ${page.title}`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...headers
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

function renderHtml({ title, text, refreshSeconds }: Page): string {
  const refresh = refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">\n`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh}<title>${title}</title>
<style>
body { margin: 20vh auto 0; max-width: 32rem; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.25rem; font-weight: 600 }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`
}
