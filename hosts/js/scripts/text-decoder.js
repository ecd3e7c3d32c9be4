// Stands in for the global TextDecoder in jco's glue, which makes one without options. A text must
// come out of the component as it went in, byte order mark included; what is not UTF-8 is a fault.
const { TextDecoder: Standard } = globalThis;

class ExactTextDecoder extends Standard {
  constructor() {
    super('utf-8', { fatal: true, ignoreBOM: true });
  }
}

export { ExactTextDecoder as TextDecoder };
