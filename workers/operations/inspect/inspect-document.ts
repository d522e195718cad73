export async function inspectDocument(path:string, open: (p:string)=>Promise<{pageCount:number}>) { return {page_count:(await open(path)).pageCount} }
