import { median, percentile, report } from './figures.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'

const rounds = 5
const secondsPerRound = 4
const logins = 20

/**
 * p99 of GET /api/auth/me, idle and while twenty logins run all the time: what Argon2 costs those who only read. It runs on threads
 * beside the event loop, so that the loop answers on; the cores are shared all the same.
 */
export async function benchAuth(): Promise<void> {
  const panel = await serve()
  try {
    const person = { email: 'bench@example.com', password: 'correct horse battery' }
    const post = (path: string, body: object) =>
      fetch(`${panel.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    const registered = await post('/api/auth/register', { ...person, name: 'bench', confirmPassword: person.password })
    const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
    const read = async () => {
      const times: number[] = []
      const until = performance.now() + secondsPerRound * 1_000
      for (let started = performance.now(); started < until; started = performance.now()) {
        const answer = await fetch(`${panel.url}/api/auth/me`, { headers: { cookie } })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`me: ${answer.status}`)
        times.push(performance.now() - started)
      }
      return percentile(times, 0.99)
    }
    const readBesideLogins = async () => {
      let isOn = true
      let done = 0
      const login = async () => {
        while (isOn) {
          const answer = await post('/api/auth/login', person)
          if (!answer.ok) throw new Error(`login: ${answer.status}`)
          await answer.arrayBuffer()
          done++
        }
      }
      const all = Promise.all(Array.from({ length: logins }, login))
      const p99 = await read()
      isOn = false
      await all
      loginsPerSecond.push(done / secondsPerRound)
      return p99
    }
    const idle: number[] = []
    const busy: number[] = []
    const loginsPerSecond: number[] = []
    await step('warm-up', read)
    for (let round = 0; round < rounds; round++) {
      idle.push(await step(`round ${round + 1} of ${rounds}: idle`, read))
      busy.push(await step(`round ${round + 1} of ${rounds}: beside ${logins} logins`, readBesideLogins))
    }
    report('GET /api/auth/me idle, p99', `${median(idle).toFixed(1)} ms`)
    report(`the same while ${logins} logins run`, `${median(busy).toFixed(1)} ms`, {
      value: median(busy) / median(idle),
      aim: '<= 3x'
    })
    report('logins meanwhile', `${median(loginsPerSecond).toFixed(0)}/s`)
  } finally {
    await panel.stop()
  }
}
