import { createServer } from 'node:http'
import pg from 'pg'

// The least that answers the same: a session from a Map, the page and the total by prepared SQL, JSON.stringify.
const sessions = new Map(Object.entries(JSON.parse(process.env.SESSIONS ?? '{}') as Record<string, string>))
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

createServer((request, response) => {
  const userId = sessions.get(/panel_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
  const limit = Number(/limit=(\d+)/.exec(request.url ?? '')?.[1] ?? 20)
  if (userId === undefined) {
    response.writeHead(401).end()
    return
  }
  Promise.all([
    pool.query({
      name: 'page',
      text: 'select * from projects where user_id = $1 and deleted_at is null order by created_at desc, id desc limit $2 offset 0',
      values: [userId, limit]
    }),
    pool.query<{ project_count: number }>({
      name: 'total',
      text: 'select project_count from users where id = $1',
      values: [userId]
    })
  ]).then(
    ([page, total]) => {
      const count = total.rows[0]!.project_count
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          projects: page.rows,
          pagination: { page: 1, limit, total: count, totalPages: Math.ceil(count / limit) }
        })
      )
    },
    () => response.writeHead(500).end()
  )
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
