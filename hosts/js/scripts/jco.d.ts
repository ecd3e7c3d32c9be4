/** What the build uses of jco, whose own types for it are missing from its package. */
declare module '@bytecodealliance/jco' {
  export function transpile(
    component: Uint8Array,
    options: {
      name: string;
      instantiation: 'sync' | 'async';
      wasiShim: boolean;
      nodejsCompat: boolean;
    },
  ): Promise<{ files: Record<string, Uint8Array<ArrayBuffer>> }>;
}
