declare module '@11ty/eleventy' {
  export class Eleventy {
    constructor(input: string, output: string, options: { configPath: string; quietMode: boolean })
    toJSON(): Promise<{ inputPath: string; content: string }[]>
  }
}
