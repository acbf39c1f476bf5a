/**
 * The project's variables as a file for POSIX sh. Single quotes keep every byte as it is; a quote inside closes them, is
 * escaped and opens them again.
 */
export const renderBuildEnvironment = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([key, value]) => `export ${key}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('')
