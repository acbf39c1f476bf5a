import { ApiError, UnreachableError } from './client.ts'
import { inLanguage } from './in-language.ts'
import { signInAgain } from './session.ts'

interface Sending {
  form: FormData
  onProgress(sent: number): void
  signal?: AbortSignal
}

/** XMLHttpRequest, because fetch has no upload progress. Rejects as the client does; signs in again once. */
export const sendForm = (url: string, sending: Sending): Promise<unknown> =>
  sendOrThrow(url, sending).catch(async (error: unknown) => {
    throw await inLanguage(error)
  })

async function sendOrThrow(url: string, sending: Sending): Promise<unknown> {
  let answer = await send(url, sending)
  if (answer.status === 401 && (await signInAgain())) answer = await send(url, sending)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw new ApiError(answer, body)
  return body
}

function send(url: string, { form, onProgress, signal }: Sending): Promise<Response> {
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort)
    const end = (work: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      work()
    }
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = end(() => {
      const retryAfter = request.getResponseHeader('Retry-After')
      const { status, statusText } = request
      resolve(
        new Response(request.responseText, {
          status,
          statusText,
          headers: retryAfter === null ? {} : { 'Retry-After': retryAfter }
        })
      )
    })
    request.onerror = end(() => reject(new UnreachableError()))
    request.onabort = end(() => reject(new DOMException('Aborted', 'AbortError')))
    request.open('POST', url)
    if (signal?.aborted) reject(new DOMException('Aborted', 'AbortError'))
    else request.send(form)
  })
}
