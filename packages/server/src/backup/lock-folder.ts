/** Takes a lock of the operating system, which goes with the process however it ends. @throws StartFailure */
export type LockFolder = (folder: string, name: string, inUse: string) => { close(): void }
