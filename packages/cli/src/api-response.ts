import { ApiError } from '@panel/client'

export async function failUnlessOk(response: Response): Promise<void> {
  if (response.ok) return
  throw new ApiError(response, await response.json().catch(() => undefined))
}
