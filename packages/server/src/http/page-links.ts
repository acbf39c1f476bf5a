import type { FastifyRequest } from 'fastify'

export function pageLinks(
  request: Pick<FastifyRequest, 'url'>,
  { page, limit, total }: { page: number; limit: number; total: number }
): Record<string, string> {
  const [path = '', query = ''] = request.url.split('?')
  const link = (to: number, rel: string) => {
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(to))
    return `<${path}?${parameters.toString()}>; rel="${rel}"`
  }
  const links = [
    ...(page * limit < total ? [link(page + 1, 'next')] : []),
    ...(page > 1 && total > 0 ? [link(Math.min(page - 1, Math.ceil(total / limit)), 'prev')] : [])
  ]
  return { 'X-Total-Count': String(total), ...(links.length > 0 ? { Link: links.join(', ') } : {}) }
}
