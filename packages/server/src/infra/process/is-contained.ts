/**
 * Whether a process runs in a container, by the text of its /proc/<pid>/status: it has a number there besides ours (namespaces(7)). What such
 * a process says of itself is its tenant's word: name, arguments and program may be those of any server of ours.
 */
export const isContained = (status: string): boolean => /^NSpid:\t\d+\t/m.test(status)
