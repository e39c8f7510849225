// Tables as CSV files (RFC 4180, UTF-8, a line of names first), one for each table. A null is empty; an empty text is
// "" in quotes.
#pragma once

#include <map>
#include <string>

#include "export/output_file.h"
#include "export/table.h"
#include "model/status.h"

namespace tauprof {

class CsvTables : public TableSink {
 public:
  // A directory that is there.
  Status open(const std::string& path);
  void add(const Table& table, Row row) override;
  Status status() const;
  Status close();

 private:
  std::map<const Table*, OutputFile> files_;
  std::string line_;
};

}  // namespace tauprof
