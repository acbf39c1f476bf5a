import { AppError } from '../../errors.ts'

export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('CONTAINER_ENGINE_UNAVAILABLE', message, { cause })
