import { createServer } from 'node:http'

createServer((request, response) => {
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(
    `Hello from ${process.env.GREETING ?? 'the panel'}: you asked ${request.headers.host} for ${request.url}\n`
  )
  console.log(`${request.method} ${request.url} ${response.statusCode}`)
}).listen(process.env.PORT, '0.0.0.0', () => console.log(`Listening on port ${process.env.PORT}`))
