export type InspectData = { page_count: number };
