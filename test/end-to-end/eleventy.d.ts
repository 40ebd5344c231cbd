declare module '@11ty/eleventy' {
  interface Config {
    addPlugin(plugin: unknown, options: object): void
    setOutputDirectory(dir: string): void
  }

  export class Eleventy {
    constructor(
      input: string,
      output: string | undefined,
      options: { configPath?: string; quietMode: boolean; config?(config: Config): void },
    )
    toJSON(): Promise<{ inputPath: string; content: string }[]>
    write(): Promise<unknown>
  }
}
