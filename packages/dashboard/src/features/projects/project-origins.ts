/** The first is the default, which the URL omits. */
export const projectOrigins = ['git', 'files', 'image', 'wordpress', 'empty'] as const
export type ProjectOrigin = (typeof projectOrigins)[number]

export const builtTypes = ['NODEJS', 'PYTHON', 'PHP', 'STATIC', 'DOCKERFILE'] as const
